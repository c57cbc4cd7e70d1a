import { useTranslation } from 'react-i18next'
import type { FieldPath } from '#domain/flow/document/location.ts'
import { fieldAt } from '#domain/flow/document/location.ts'
import { useWords } from '../../canvas/canvas-context.ts'
import { Field } from '../../inspector/field.tsx'
import { isShown } from '../../inspector/field-group.tsx'
import { under, useFieldValue, useForm, useLabel } from '../../inspector/form-context.ts'
import { ListField } from '../../inspector/list-field.tsx'

const OPTIONS: FieldPath = ['data', 'options']
const STYLE: FieldPath = ['data', 'config', 'listStyle']

const ListStyle = () => {
  const words = useWords()
  const label = useLabel(STYLE)
  const field = fieldAt('prompt', STYLE)
  const { value, set, mayEdit } = useFieldValue(STYLE, field)
  if (field?.kind !== 'enumeration') return null
  return (
    <fieldset className="pl-seg" data-small data-wraps aria-label={label} disabled={!mayEdit}>
      {field.options.map(each => (
        <button key={each} type="button" aria-pressed={value === each} onClick={() => set(each)}>
          {words(`block:option.listStyle.${each}`, { defaultValue: each })}
        </button>
      ))}
    </fieldset>
  )
}

/** Settings specific to each question kind, except options. */
const SETTINGS: readonly FieldPath[] = [
  ['data', 'validationType'],
  ['data', 'unit'],
  ['data', 'dateExtractType'],
  ['data', 'textStyle'],
]

const FROM_VARIABLE: readonly FieldPath[] = [
  ['extractFromVariable'],
  ['jsonPathRuleForTitleExtractor'],
  ['jsonPathRuleForValueExtractor'],
]

/** Whether the options are written here or come from a variable, and then by which rules. */
const Source = () => {
  const { node } = useForm()
  if (!isShown(node, 'isPromptDynamic')) return null
  return (
    <div className="pl-section">
      <Field path={['isPromptDynamic']} />
      {FROM_VARIABLE.filter(path => isShown(node, path.join('.'))).map(path => (
        <Field key={path.join('.')} path={path} />
      ))}
    </div>
  )
}

/** The question, the kind of answer and where it is kept, the options, and what happens with a wrong answer. */
export const PromptForm = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const label = useLabel(OPTIONS)
  const options = fieldAt('prompt', OPTIONS)
  const settings = SETTINGS.filter(path => isShown(node, path.join('.')))
  return (
    <>
      <div className="pl-section">
        <Field path={['data', 'text']} />
      </div>
      <div className="pl-section">
        <div className="pl-pair">
          <Field path={['data', 'type']} />
          <Field path={['varname']} />
        </div>
        {settings.length === 0 ? null : (
          <div className="pl-pair" data-level>
            {settings.map(path => (
              <Field key={path.join('.')} path={path} />
            ))}
          </div>
        )}
      </div>
      <Source />
      {options?.kind === 'list' && isShown(node, 'data.options') ? (
        <div className="pl-section">
          <ListField
            path={OPTIONS}
            field={options}
            label={label}
            addLabel={t('inspector.addOption')}
            aside={<ListStyle />}
            renderItem={path => (
              <div className="pl-option">
                <Field path={under(path, 'label')} bare />
                <Field path={under(path, 'value')} bare />
              </div>
            )}
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
