import type { PanelName } from '#schemas/block.ts'
import { latePart, useLatePart } from '#web/lazy-module.ts'

/** No flow needs them to be shown, and most blocks have none. */
const panels = latePart(async () => (await import('./panels.tsx')).panels)

/** Panel that a block's declaration adds beside its fields, once loaded. */
export const LatePanel = ({ name }: { readonly name: PanelName }) => {
  const { value } = useLatePart(panels)
  const Panel = value?.[name]
  return Panel === undefined ? null : <Panel />
}
