import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/agentchannel/queue/:id': async () => (await import('./queue-page.tsx')).QueuePage,
  '/agentchannel/:id': async () => (await import('./agent-channel-page.tsx')).AgentChannelPage,
}
