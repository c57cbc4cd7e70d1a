import { chakra, Input, Textarea } from '@chakra-ui/react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { readSample, sampleText, useSamples } from './use-samples.ts'
import { useKnownVariables } from './use-trial-inputs.ts'

interface SampleProps {
  readonly name: string
  readonly datatype: string | undefined
  readonly value: Json | undefined
  readonly isOwn: boolean
  readonly isMasked: boolean
  readonly onChange: (value: Json | undefined) => void
}

const MAX_ROWS = 5

const Sample = ({ name, datatype, value, isOwn, isMasked, onChange }: SampleProps) => {
  const { t } = useTranslation('designer')
  const id = useId()
  const [draft, setDraft] = useState<string>()
  const shown = draft ?? sampleText(value)
  const typed = {
    id,
    value: shown,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setDraft(target.value)
      onChange(readSample(target.value, datatype))
    },
    onBlur: () => setDraft(undefined),
  }
  return (
    <div>
      <div className="pl-label-row">
        <label className="pl-label-text" htmlFor={id}>
          {name}{' '}
          {datatype === undefined ? null : <small>{t(`try.type.${datatype}`, { defaultValue: datatype })}</small>}
        </label>
        {isOwn ? (
          <button
            type="button"
            className="pl-open"
            onClick={() => {
              setDraft(undefined)
              onChange(undefined)
            }}
          >
            {t('try.reset')}
          </button>
        ) : null}
      </div>
      {isMasked ? (
        <Input data-trial {...typed} type="password" autoComplete="off" />
      ) : (
        <Textarea
          data-trial
          {...typed}
          rows={Math.min(MAX_ROWS, shown.split('\n').length)}
          fontFamily="mono"
          fontSize="xs"
          spellCheck={false}
        />
      )}
    </div>
  )
}

/** Sample values of these variables; the person's own are stored per flow in this browser. */
export const SampleFields = ({ names }: { readonly names: readonly string[] }) => {
  const { t } = useTranslation('designer')
  const { known } = useKnownVariables()
  const { sampleOf, isOwn, isMasked, set } = useSamples(known)
  if (names.length === 0) return null
  return (
    <fieldset className="pl-list pl-samples" aria-label={t('try.samples')}>
      {names.map(name => (
        <Sample
          key={name}
          name={name}
          datatype={known.find(variable => variable.name === name)?.datatype}
          value={sampleOf(name)}
          isOwn={isOwn(name)}
          isMasked={isMasked(name)}
          onChange={value => set(name, value)}
        />
      ))}
      <chakra.p fontSize="2xs" color="fg.subtle">
        {t('try.kept')}
      </chakra.p>
    </fieldset>
  )
}
