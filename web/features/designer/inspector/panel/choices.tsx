import { useTranslation } from 'react-i18next'
import { isObject } from '#domain/flow/json.ts'
import type { Json } from '#schemas/event.ts'
import { useForm } from '../form-context.ts'
import { PanelSection } from './panel-section.tsx'

interface Offered {
  readonly title: string
  readonly value: string
}

const offeredOf = (options: Json | undefined): readonly Offered[] =>
  (Array.isArray(options) ? options : []).flatMap(option => {
    if (typeof option === 'string') return [{ title: option, value: '' }]
    return isObject(option) ? [{ title: String(option.label ?? ''), value: String(option.value ?? '') }] : []
  })

/** How the options of a question will look. */
export const Choices = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const data = isObject(node.properties.data) ? node.properties.data : {}
  const offered = offeredOf(data.options).filter(({ title }) => title.trim() !== '')
  const style = isObject(data.config) ? String(data.config.listStyle ?? 'auto') : 'auto'
  if (data.type !== 'choice' || node.properties.isPromptDynamic === true || offered.length === 0) return null
  return (
    <PanelSection title={t('choices.title')}>
      <ul className="pl-offered" data-style={style}>
        {offered.map(({ title, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two options may read the same
          <li key={place} title={value === '' || value === title ? undefined : value}>
            {title}
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
