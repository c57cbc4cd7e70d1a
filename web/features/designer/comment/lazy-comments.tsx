import i18next from 'i18next'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'

const sheet = lazyModule(async () => {
  const [{ CommentSheet }] = await Promise.all([import('./comment-sheet.tsx'), i18next.loadNamespaces('comment')])
  return CommentSheet
})

/** The panel of comments, as soon as it is there with its texts. */
export const LateComments = () => {
  const { value: Sheet } = useLazyModule(sheet)
  return Sheet === undefined ? null : <Sheet />
}
