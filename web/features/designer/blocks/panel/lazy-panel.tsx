import type { PanelName } from '#schemas/block.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'

/** No flow needs them to be shown, and most blocks have none. */
const panels = lazyModule(async () => (await import('./panels.tsx')).panels)

/** Panel that a block's declaration adds beside its fields, once loaded. */
export const LazyPanel = ({ name }: { readonly name: PanelName }) => {
  const { value } = useLazyModule(panels)
  const Panel = value?.[name]
  return Panel === undefined ? null : <Panel />
}
