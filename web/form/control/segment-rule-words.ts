import { useTranslation } from 'react-i18next'
import {
  COLUMN_PREFIX,
  isSegmentGroup,
  SEGMENT_TEXTS,
  type SegmentCondition,
  type SegmentRule,
} from '#schemas/segment-rule.ts'
import { useContactFieldName } from './contact-field-name.ts'

/** Names of what a rule refers to, by id. */
export interface RuleNames {
  readonly list: ReadonlyMap<string, string>
  readonly campaign: ReadonlyMap<string, string>
}

/** A rule in a sentence. */
export const useRuleWords = ({ list, campaign }: RuleNames) => {
  const { t, i18n } = useTranslation('contact')
  const fieldName = useContactFieldName()
  const fieldOf = (field: string): string => {
    if (field.startsWith(COLUMN_PREFIX)) return field.slice(COLUMN_PREFIX.length)
    return SEGMENT_TEXTS.includes(field) ? fieldName(field) : t(`rule.of.${field}`)
  }
  const countryOf = (code: string): string =>
    new Intl.DisplayNames([i18n.language], { type: 'region' }).of(code) ?? code
  const shownValue = ({ field, value }: SegmentCondition): string => {
    if (Array.isArray(value)) {
      const shown = value.map(one =>
        field === 'list' ? (list.get(one) ?? '…') : field === 'country' ? countryOf(one) : one,
      )
      return shown.length === 0 ? '…' : shown.join(', ')
    }
    if (typeof value === 'object' && value !== null && 'campaign' in value) {
      const name = campaign.get(value.campaign) ?? '…'
      return value.class === undefined ? name : `${name} (${t(`rule.class.${value.class}`)})`
    }
    if (field === 'lastreply') return t('rule.dayscount', { count: Number(value ?? 0) })
    return value === undefined ? '' : `“${value === '' ? '…' : String(value)}”`
  }
  const conditionOf = (condition: SegmentCondition): string => {
    const { field, op } = condition
    const kind = SEGMENT_TEXTS.includes(field) || field.startsWith(COLUMN_PREFIX) ? 'text' : field
    return `${fieldOf(field)} ${t(`rule.${kind}.${op}`)} ${shownValue(condition)}`.trim()
  }
  const sentenceOf = (rule: SegmentRule, isInner = false): string => {
    if (!isSegmentGroup(rule)) return conditionOf(rule)
    const rules = rule.any ?? rule.all ?? []
    const joined = rules
      .map(one => sentenceOf(one, true))
      .join(` ${t(rule.any === undefined ? 'rule.and' : 'rule.or')} `)
    return isInner && rules.length > 1 ? `(${joined})` : joined
  }
  return { fieldOf, sentenceOf: (rule: SegmentRule) => sentenceOf(rule) }
}
