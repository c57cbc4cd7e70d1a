import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/codesample/:id': async () => (await import('./code-sample-page.tsx')).CodeSamplePage,
}
