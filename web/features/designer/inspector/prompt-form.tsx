import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import type { FieldPath } from '#domain/flow/location.ts'
import { fieldAt } from '#domain/flow/location.ts'
import { useWords } from '../canvas/words.ts'
import { Field } from './field.tsx'
import { useForm, useLabel, usePlace } from './form-context.ts'
import { isShown } from './layout.ts'
import { ListField } from './list-field.tsx'

const OPTIONS: FieldPath = ['data', 'options']
const STYLE: FieldPath = ['data', 'config', 'listStyle']

const ListStyle = () => {
  const words = useWords()
  const label = useLabel(STYLE)
  const field = fieldAt('prompt', STYLE)
  const { value, set, mayEdit } = usePlace(STYLE, field)
  if (field?.kind !== 'enumeration') return null
  return (
    <fieldset className="pl-seg" data-small aria-label={label} disabled={!mayEdit}>
      {field.values.map(each => (
        <button key={each} type="button" aria-pressed={value === each} onClick={() => set(each)}>
          {words(`block:option.listStyle.${each}`, { defaultValue: each })}
        </button>
      ))}
    </fieldset>
  )
}

/** The question, the kind of answer and where it is kept, the options, and what happens with a wrong answer. */
export const PromptForm = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const label = useLabel(OPTIONS)
  const options = fieldAt('prompt', OPTIONS)
  return (
    <>
      <div className="pl-section">
        <Field path={['data', 'text']} />
      </div>
      <chakra.div className="pl-section" display="grid" gridTemplateColumns="1fr 1fr" gap="2" alignItems="start">
        <Field path={['data', 'type']} />
        <Field path={['varname']} />
      </chakra.div>
      {options?.kind === 'list' && isShown(node, 'data.options') ? (
        <div className="pl-section">
          <ListField
            path={OPTIONS}
            field={options}
            label={label}
            addLabel={t('inspector.addOption')}
            aside={<ListStyle />}
            renderItem={path => <Field path={[...path, 'label']} bare />}
          />
        </div>
      ) : null}
      <div className="pl-section">
        <Field path={['mandatory']} />
        <Field path={['maxRetries']} />
        <Field path={['entityconfidence']} />
      </div>
    </>
  )
}
