import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/brain/nluintent/:id': async () => (await import('#web/features/statement/index.ts')).QuestionsPage,
  '/brain/training/:id': async () => (await import('#web/features/training/index.ts')).BrainTrainingPage,
  '/brain/testnlu/:id': async () => (await import('#web/features/training/index.ts')).BrainTestPage,
}
