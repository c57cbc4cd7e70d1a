import i18next from 'i18next'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { untested } from '#web/entity/untested.ts'

const UntestedDialog = lazy(async () => {
  const [{ UntestedDialog: dialog }] = await Promise.all([
    import('#web/features/publish/untested-dialog.tsx'),
    i18next.loadNamespaces('conversationtest'),
  ])
  return { default: dialog }
})

/** Asks, over any page, whether what tests hold back is done all the same. */
export const UntestedHost = () => {
  const question = useSyncExternalStore(untested.subscribe, untested.current)
  if (question === undefined) return null
  return (
    <Suspense fallback={null}>
      <UntestedDialog {...question} />
    </Suspense>
  )
}
