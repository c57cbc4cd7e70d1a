import { Box, Button, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors, ruleErrors } from '#domain/field/validate.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { Segments } from '#web/components/segments.tsx'
import type { Value } from '#web/entity/entity-query.ts'
import { FormField } from '#web/form/form-field.tsx'
import {
  bodyValue,
  type FieldFault,
  type FieldTexts,
  faultOf,
  invalidJsonPaths,
  nestedFaults,
} from '#web/form/form-value.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { chooseColorMode, useColorMode } from '#web/theme/color-mode.ts'
import { Components } from './components.tsx'
import { SAMPLES } from './specimen.ts'

const STATES = ['empty', 'filled', 'wrong', 'readonly', 'conflict'] as const
type State = (typeof STATES)[number]

const textsOf = (label: string): FieldTexts => ({
  label,
  hint: undefined,
  option: value => value,
  member: name => textsOf(name),
})

/** The faults of a value, as the browser finds them in a form. */
const useFaults = (name: string, field: Field, value: Value | undefined): readonly FieldFault[] => {
  const text = useProblemText()
  const [faults, setFaults] = useState<readonly FieldFault[]>([])
  useEffect(() => {
    let isLeft = false
    const sent = bodyValue(field, value) ?? null
    const isOpen = sent === null && !field.required
    const parsed = field.schema.safeParse(sent)
    const wrong = parsed.success || isOpen ? [] : fieldErrors(parsed.error, sent)
    const below = wrong.map(error => ({ ...error, path: error.path === '' ? name : `${name}.${error.path}` }))
    void ruleErrors({ [name]: field }, { [name]: sent }, [name]).then(rules => {
      const found = below.length > 0 ? below : rules
      if (!isLeft) setFaults(found.map(({ path, code, params }) => ({ path, message: text(`field.${code}`, params) })))
    })
    return () => {
      isLeft = true
    }
  }, [name, field, value, text])
  return faults
}

const valueIn = (state: State, name: string): Value => {
  const sample = SAMPLES[name]
  if (sample === undefined) return null
  if (state === 'empty') return sample.field.initial as Value
  return state === 'wrong' ? sample.wrong : sample.filled
}

const shown = (value: Value): string =>
  value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)

const Entry = ({ name, field, state }: { readonly name: string; readonly field: Field; readonly state: State }) => {
  const [value, setValue] = useState<Value>(() => valueIn(state, name))
  const faults = useFaults(name, field, value)
  const { t } = useTranslation('shell')
  const unreadable = invalidJsonPaths({ [name]: field }, { [name]: value })
  const told = state !== 'wrong' ? [] : [...faults, ...unreadable.map(path => ({ path, message: t('form.json') }))]
  const theirs = SAMPLES[name]?.theirs ?? null
  const isConflict = state === 'conflict' && value !== theirs
  return (
    <FormField
      name={name}
      field={field}
      texts={textsOf(name)}
      value={value}
      secret={field.secret}
      readOnly={state === 'readonly'}
      values={{ enumeration: 'BR' } as JsonObject}
      onChange={setValue}
      onCleared={() => {}}
      faults={nestedFaults(told, name)}
      error={faultOf(name, field, told)?.message}
      conflict={
        isConflict
          ? { before: shown(field.initial as Value), theirs: shown(theirs), onUseTheirs: () => setValue(theirs) }
          : undefined
      }
    />
  )
}

const Fields = ({ state }: { readonly state: State }) => (
  <Box key={state}>
    <Text as="h2" textStyle="card" mb="3">
      {state}
    </Text>
    <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="4" rowGap="4">
      {Object.entries(SAMPLES).map(([name, { field }]) => (
        <Entry key={name} name={name} field={field} state={state} />
      ))}
    </SimpleGrid>
  </Box>
)

const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

const VIEWS = ['components', ...STATES] as const

/** The shared components in both themes, or every kind of field in one state. The address holds the choice: `#wrong`. */
export const Gallery = () => {
  const { shown } = useColorMode()
  const [view, setView] = useState(() => VIEWS.find(each => `#${each}` === location.hash) ?? 'components')
  const choose = (next: (typeof VIEWS)[number]) => {
    location.replace(`#${next}`)
    setView(next)
  }
  return (
    <chakra.main p={{ base: '3', md: '6' }} maxW="1200px" mx="auto" w="100%" data-control-gallery={view}>
      <Text as="h1" textStyle="title" mb="3">
        Gallery
      </Text>
      <HStack gap="2" mb="5" flexWrap="wrap">
        {view === 'components' ? null : (
          <Segments label="Theme" value={shown} options={THEMES} onChange={chooseColorMode} />
        )}
        {VIEWS.map(each => (
          <Button key={each} aria-pressed={each === view} onClick={() => choose(each)}>
            {each}
          </Button>
        ))}
      </HStack>
      {view === 'components' ? <Components /> : <Fields state={view} />}
    </chakra.main>
  )
}
