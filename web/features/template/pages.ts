import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/campaignmanagement/channel/app/template/search': async () =>
    (await import('#web/entity/list/entity-list-page.tsx')).EntityListPage,
  '/campaignmanagement/channel/app/template/:id?': async () => (await import('./template-address.tsx')).TemplateAddress,
  '/template/:id': async () => (await import('./template-page.tsx')).TemplatePage,
}
