import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/mlchannel/:id': async () => (await import('./ml-channel-page.tsx')).MlChannelPage,
}
