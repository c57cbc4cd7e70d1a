export { BotsWithoutDesk, EnableDesk, NoAgentChannel } from './enable-desk.tsx'
export { queueQuery, useClearQueue, useNow, waitOf } from './queue-page.tsx'
