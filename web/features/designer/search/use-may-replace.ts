import { useSession } from '#web/api/session.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { usePhone } from '../session/use-phone.ts'

/** Whether what is found may be replaced, where it is looked for. */
export const useMayReplace = (): boolean => {
  const designer = useDesigner()
  const session = useSession()
  const { scope } = useStoreValue(designer.seek)
  const phone = usePhone()
  // On a phone one only looks.
  return !phone && (scope === 'flow' ? designer.mayEdit : session.can('updatebot'))
}
