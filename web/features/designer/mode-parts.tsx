import i18next from 'i18next'
import { lateMode } from './late-mode.tsx'

/** The open dialog, talked to. */
export const TestPart = lateMode(async () => {
  const [{ TestMode }] = await Promise.all([import('./test-mode.tsx'), i18next.loadNamespaces('simulation')])
  return TestMode
})

/** The open dialog with what people did in it. */
export const FunnelPart = lateMode(async () => {
  const [{ FunnelMode }] = await Promise.all([import('./funnel-mode.tsx'), i18next.loadNamespaces('funnel')])
  return FunnelMode
})
