import type { OwnPages } from '#web/app/own-pages.ts'

const page = async () => (await import('./nlu-settings-page.tsx')).NluSettingsPage

export const pages: OwnPages = { '/nlusettings': page, '/nlusettings/:id': page }
