import '#web/features/designer/canvas/chrome.css'
import { Box, Button, ChakraProvider, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { MemoryRouter } from 'react-router'
import { fieldErrors, ruleErrors } from '#domain/field/validate.ts'
import type { JsonObject } from '#schemas/event.ts'
import * as f from '#schemas/field/field.ts'
import type { Field } from '#schemas/field/kind.ts'
import { queryClient } from '#web/api/query-client.ts'
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
import { startI18n } from '#web/i18n/i18n.ts'
import { NoticeHost } from '#web/notice/notice-host.tsx'
import { chooseColorMode, useColorMode } from '#web/theme/color-mode.ts'
import { systemOf } from '#web/theme/system.ts'
import { Components } from './components.tsx'

interface Sample {
  readonly field: Field
  readonly filled: Value
  readonly wrong: Value
  /** The value another person saved. */
  readonly theirs: Value
}

const FILE = { id: 'a'.repeat(64), name: 'Contract 2026.pdf', type: 'application/pdf', size: 48_200 }
const REGIONS = { BR: ['SP', 'RJ'], US: ['CA'] }

/** A declared field of every kind, with values. Names are those of the kinds, more after a dash. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  string: { field: f.string({ required: true }), filled: 'Anita', wrong: '', theirs: 'Bruno' },
  'string-offered': {
    field: f.string({ offered: ['small', 'large'] }),
    filled: 'small',
    wrong: 'a\u0007',
    theirs: 'large',
  },
  'string-date': { field: f.string({ control: 'date' }), filled: '2026-03-01', wrong: 'x\u0007', theirs: '2026-04-01' },
  'string-timezone': {
    field: f.string({ control: 'timezone' }),
    filled: 'America/Sao_Paulo',
    wrong: 'x\u0007',
    theirs: 'Europe/Lisbon',
  },
  text: { field: f.text(), filled: 'Good morning.\nHow can I help?', wrong: '\u0007', theirs: 'Good evening.' },
  markdown: { field: f.markdown(), filled: '# Title\n\nSome *words*.', wrong: '\u0007', theirs: '# Other' },
  code: { field: f.code(), filled: 'if (age > 18) {\n  adult()\n}', wrong: '\u0000', theirs: 'adult()' },
  json: { field: f.json(), filled: '{\n  "a": [1, 2]\n}', wrong: '{ a', theirs: { a: [3] } },
  email: { field: f.email(), filled: 'ana@example.com', wrong: 'ana@', theirs: 'bia@example.com' },
  url: { field: f.url(), filled: 'https://example.com/a', wrong: 'example.com', theirs: 'https://example.org' },
  color: { field: f.color(), filled: '#4733A6CC', wrong: 'red', theirs: '#B3261E' },
  cron: { field: f.cron({ zone: 'America/Sao_Paulo' }), filled: '0 9 * * 1-5', wrong: '9 o’clock', theirs: '@daily' },
  duration: { field: f.duration('ms', { max: 3_600_000 }), filled: 90_000, wrong: -1, theirs: 40_000 },
  phone: { field: f.phone(), filled: '+5511987654321', wrong: '11 98765', theirs: '+4930123456' },
  expression: { field: f.expression('Jexl'), filled: 'age > 18 && city', wrong: 'age > (', theirs: 'age >= 21' },
  integer: { field: f.integer({ min: 0, max: 100, unit: '%' }), filled: 40, wrong: 'many', theirs: 50 },
  number: { field: f.number(), filled: 0.75, wrong: 'half', theirs: 0.8 },
  boolean: { field: f.boolean(), filled: true, wrong: 'x', theirs: false },
  enumeration: { field: f.enumeration(['BR', 'US']), filled: 'BR', wrong: 'XX', theirs: 'US' },
  'enumeration-per': {
    field: f.enumeration(['SP', 'RJ', 'CA'], { per: { field: 'enumeration', options: REGIONS } }),
    filled: 'SP',
    wrong: 'XX',
    theirs: 'RJ',
  },
  reference: { field: f.reference('bot', { required: true }), filled: 'b1', wrong: null, theirs: 'b2' },
  references: { field: f.references('bot'), filled: ['b1', 'b2'], wrong: [3], theirs: ['b2'] },
  strings: { field: f.strings({ max: 20 }), filled: ['yes', 'sure'], wrong: ['x'.repeat(21)], theirs: ['no'] },
  time: { field: f.time(), filled: '2026-03-01T12:30:00Z', wrong: 'soon', theirs: '2026-03-02T12:30:00Z' },
  password: { field: f.password(), filled: { set: true }, wrong: 'x'.repeat(1025), theirs: { set: true } },
  secret: { field: f.string({ secret: true, max: 20 }), filled: { set: true }, wrong: 'x'.repeat(21), theirs: null },
  file: { field: f.file(['application/pdf']), filled: FILE, wrong: { ...FILE, type: 'text/csv' }, theirs: null },
  image: { field: f.image(), filled: 'https://example.com/logo.png', wrong: 'logo.png', theirs: FILE },
  list: {
    field: f.list({
      name: f.string({ required: true }),
      kind: f.enumeration(['text', 'time'], { initial: 'text' }),
      value: f.string({ secret: true }),
      schedule: f.cron({ when: { kind: ['time'] } }),
      active: f.boolean(),
    }),
    filled: [
      { id: '1', name: 'Authorization', kind: 'text', value: { set: true }, schedule: null, active: true },
      { id: '2', name: 'X-Run', kind: 'time', value: null, schedule: '@daily', active: false },
    ],
    wrong: [{ id: '1', name: '', kind: 'time', value: null, schedule: 'soon', active: false }],
    theirs: [],
  },
}

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
const Gallery = () => {
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

const BOTS = [
  { id: 'b1', name: 'Clinic' },
  { id: 'b2', name: 'Insurance' },
]

const READER = {
  id: 'reader',
  username: 'reader',
  firstname: null,
  lastname: null,
  profilepic: null,
  language: 'en',
  hierarchylevel: 'root',
  permissions: ['readbot'],
}

/** The page has no server: references find two bots. */
const answerOf = (url: string): unknown => {
  if (url.endsWith('/auth/user')) return { user: READER }
  if (url.endsWith('/selectfromoriginallevel')) return [{ id: 'root', name: 'Root', parent: null }]
  if (url.endsWith('/names')) return { bot: Object.fromEntries(BOTS.map(({ id, name }) => [id, name])) }
  return BOTS.find(({ id }) => url.endsWith(`/bot/${id}`)) ?? { items: BOTS, total: BOTS.length }
}

const browserFetch = window.fetch
window.fetch = async (input, init) => {
  const url = String(input)
  return url.includes('/botadmin/api/') ? Response.json(answerOf(url)) : browserFetch(input, init)
}

const fileIn = (form: unknown) => {
  const file = form instanceof FormData ? form.get('file') : null
  return file instanceof File ? { id: 'b'.repeat(64), name: file.name, type: file.type, size: file.size } : {}
}

/** An upload answers with the file. The typed client sends it with XMLHttpRequest, which reports progress. */
window.XMLHttpRequest = class extends XMLHttpRequest {
  override send(body?: Document | XMLHttpRequestBodyInit | null): void {
    super.open('GET', URL.createObjectURL(new Blob([JSON.stringify(fileIn(body))])))
    super.send()
  }
}

const start = async () => {
  const root = document.getElementById('root')
  if (root === null) throw new Error('gallery.html has no #root')
  await startI18n()
  createRoot(root).render(
    <ChakraProvider value={systemOf('production')}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Gallery />
          <NoticeHost />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  )
}

void start()
