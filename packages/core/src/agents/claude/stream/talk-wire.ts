import type { TalkWire } from '../../wires.ts';

/** What the client reads from its standard input: JSON, one message in each line. */
export const talkWire: TalkWire = {
  message: (id, text) =>
    formatLine({ type: 'user', uuid: id, message: { role: 'user', content: text } }),
  interrupt: (id) =>
    formatLine({ type: 'control_request', request_id: id, request: { subtype: 'interrupt' } }),
};

const formatLine = (value: object) => `${JSON.stringify(value)}\n`;
