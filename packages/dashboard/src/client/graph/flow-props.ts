/**
 * What every graph of SAGA asks of React Flow: nodes stay where the layout puts them, the page keeps
 * its scroll wheel, and keys are ours.
 */
export const FLOW_PROPS = {
  maxZoom: 2,
  nodesDraggable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  zoomOnScroll: false,
  zoomOnDoubleClick: false,
  preventScrolling: false,
  disableKeyboardA11y: true,
  proOptions: { hideAttribution: true },
} as const;
