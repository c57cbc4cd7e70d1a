import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/nluproject/intent/:id': async () => (await import('#web/features/statement/index.ts')).IntentsPage,
  '/nluproject/training/:id': async () => (await import('#web/features/training/index.ts')).TrainingPage,
  '/nluproject/testnlu/:id': async () => (await import('#web/features/training/index.ts')).TestPage,
  '/nluproject/unrecognized/:id': async () => (await import('#web/features/unrecognized/index.ts')).UnrecognizedPage,
}
