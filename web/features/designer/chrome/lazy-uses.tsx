import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { UnloadedPart } from '../search/failed-part.tsx'

const sheet = lazyModule(async () => (await import('./uses-sheet.tsx')).UsesSheet)

/** The sheet of uses, fetched when it is first opened. */
export const LateUses = () => {
  const { value: UsesSheet, error } = useLazyModule(sheet)
  if (UsesSheet !== undefined) return <UsesSheet />
  if (error === undefined) return null
  return (
    <section className="pl-sheet">
      <UnloadedPart />
    </section>
  )
}
