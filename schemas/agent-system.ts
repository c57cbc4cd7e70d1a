/** Outside systems whose agents take chats over (designer.md 3.2). */
export const AGENT_SYSTEMS = [
  'rocketchat',
  'tiledesk',
  'aacc',
  'emc',
  'avayaccaas',
  'avayaacr',
  'avayasmcc',
  'presence',
  'cxone',
  'xgen',
  'gocontact',
  'five9',
] as const
