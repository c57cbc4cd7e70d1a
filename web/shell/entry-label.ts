import { useTranslation } from 'react-i18next'
import type { MenuEntry } from '#domain/menu.ts'
import { useLabel } from '#web/entity/label.ts'

/** The words of a menu entry: of a page, or of the entity that it lists. */
export const useEntryLabel = () => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return ({ key, entity = '' }: MenuEntry) => (key === undefined ? label.menu(entity) : t(`menu.${key}`))
}
