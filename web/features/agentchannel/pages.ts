import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/agentchannel/:id': async () => (await import('./agent-channel-page.tsx')).AgentChannelPage,
}
