import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useLabel } from '#web/entity/label.ts'

/** Header of a column. */
export const useColumnLabel = (entity: EntityDeclaration): ((field: string) => string) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return useCallback(
    (field: string) => (field === 'modified_at' ? t('list.lastchange') : label.field(entity.name, field)),
    [t, label, entity],
  )
}
