import { MENU_ACTIONS } from '#domain/people/permission.ts'
import { usePermissionText } from './pending-permissions.tsx'
import { useMenuActionLabel } from './permission-rows.tsx'

/** Returns the text of a permission of a token. */
export const useScopeText = (): ((name: string) => string) => {
  const menu = useMenuActionLabel()
  const text = usePermissionText()
  return name => (MENU_ACTIONS.includes(name) ? menu(name) : text({ kind: 'action', name }))
}
