/**
 * The settings of React Flow in every graph of SAGA: nodes stay where the layout puts them, the wheel scrolls the page,
 * and SAGA handles the keys.
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
