import type { OwnPages } from '#web/app/own-pages.ts'

const create = async () => (await import('./create/create-page.tsx')).CreatePage
const settings = async () => (await import('./report/settings-page.tsx')).CampaignSettingsPage

export const pages: OwnPages = {
  '/campaignmanagement/channel/app/campaign/search': async () => (await import('./list-page.tsx')).CampaignListPage,
  '/bot/campaign/search': async () => (await import('./list-page.tsx')).BotCampaignsPage,
  '/campaignmanagement/campaign/create': create,
  '/campaign': create,
  '/campaign/new': create,
  '/campaign/:id': async () => (await import('./report/campaign-page.tsx')).CampaignPage,
  '/campaign/settings/:id?': settings,
}
