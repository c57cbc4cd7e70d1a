import type { TFunction } from 'i18next'
import { nameOf } from '#web/components/person-avatar.tsx'
import type { Translate } from '../../model/label.ts'
import { type BlockActivity, isMove } from './block-activity.ts'

const fieldName = (field: string, type: string, t: TFunction<'designer'>, words: Translate): string => {
  if (field === 'pos' || field === 'position') return t('inspector.position')
  const last = field.split('.').at(-1) ?? field
  return words(`block:field.${type}.${field}`, {
    defaultValue: words(`block:field.${last}`, { defaultValue: last }),
  })
}

/** First names of the authors, and their action on a block of this type. */
export const deedWords = (
  deed: BlockActivity,
  type: string,
  t: TFunction<'designer'>,
  words: Translate,
): { readonly who: string; readonly did: string } => ({
  who: deed.session.authors.map(author => nameOf(author).split(' ')[0]).join(', '),
  did: isMove(deed)
    ? t('inspector.did_moved')
    : t(`inspector.did_${deed.kind}`, {
        fields: [...new Set(deed.fields.map(field => fieldName(field, type, t, words)))].join(', '),
      }),
})
