import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/metaaccount/:id': async () => (await import('./meta-account-page.tsx')).MetaAccountPage,
  '/meta/account/:id': async () => (await import('./meta-account-address.tsx')).MetaAccountAddress,
}
