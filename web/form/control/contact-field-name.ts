import { useTranslation } from 'react-i18next'
import { SEGMENT_TEXTS } from '#schemas/segment-rule.ts'

/** Names of the columns that fields of contacts were imported from, by key: `field03` → `Cidade`. */
export type ColumnNames = Readonly<Record<string, string>>

/** Name of a contact's field by its key: that of its column, else "Name", "Phone" or "Field 3". */
export const useContactFieldName = () => {
  const { t } = useTranslation('contact')
  return (field: string, columns: ColumnNames = {}): string => {
    if (field === 'nome') return t('field.name')
    if (field === 'phone') return t('field.phone')
    const column = columns[field]
    if (column !== undefined && column !== '') return column
    return SEGMENT_TEXTS.includes(field) ? t('field.numbered', { number: Number(field.slice(-2)) }) : field
  }
}
