import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/campaignmanagement/channel/app/template/search': async () =>
    (await import('#web/features/campaign/index.ts')).OfAppList,
  '/campaignmanagement/channel/app/template/:id?': async () => (await import('./template-address.tsx')).TemplateAddress,
  '/template/:id': async () => (await import('./template-page.tsx')).TemplatePage,
}
