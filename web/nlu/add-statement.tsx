import { Button, HStack, NativeSelect, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { printStatement } from '#domain/nlu/project-data.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { readAll } from '#web/entity/read-all.ts'

interface AddStatementProps {
  readonly project: string
  /** The message, without marks. */
  readonly text: string
  /** Chosen at first. */
  readonly guess?: string | undefined
  readonly onAdded?: (added: AddedStatement) => void
}

interface AddedStatement {
  readonly intent: string
  /** Takes it out of the intent. */
  undo(): Promise<void>
}

const linesOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Changes an intent's lines. Lines that others add meanwhile stay: the server merges them by their ids. */
const changeLines = async (id: string, change: (lines: readonly Json[]) => readonly Json[]): Promise<void> => {
  const params = { entity: 'intent', id }
  const row = await http.get('/{entity}/{id}', { params })
  const body = { statements: [...change(linesOf(row.statements as Json))] }
  await http.patch('/{entity}/{id}', { params, body, revision: row.revision })
}

/** Ends an intent's lines with this one; answers how to take it out. */
const addLine = async (intent: string, text: string): Promise<() => Promise<void>> => {
  const line = { id: crypto.randomUUID().replaceAll('-', '').slice(0, 12), text: printStatement({ text, spans: [] }) }
  await changeLines(intent, lines => [...lines, line])
  return () => changeLines(intent, lines => lines.filter(each => !isObject(each) || each.id !== line.id))
}

interface IntentSelectProps {
  readonly label: string
  readonly intents: readonly Row[]
  readonly value: string | undefined
  readonly disabled: boolean
  onChoose(id: string): void
}

const IntentSelect = ({ label, intents, value, disabled, onChoose }: IntentSelectProps) => {
  const { t } = useTranslation('understanding')
  return (
    <NativeSelect.Root size="xs" flex="1" minW="28" disabled={disabled}>
      <NativeSelect.Field aria-label={label} value={value ?? ''} onChange={event => onChoose(event.target.value)}>
        <option value="" disabled>
          {t('choose')}
        </option>
        {intents.map(({ id, name }) => (
          <option key={id} value={id}>
            {String(name)}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}

const Added = ({ intent }: { readonly intent: string }) => {
  const { t } = useTranslation('understanding')
  return (
    <HStack role="status" gap="1.5" textStyle="secondary" color="positive.fg">
      <Check size={14} aria-hidden />
      <Text as="span">{t('added', { intent })}</Text>
    </HStack>
  )
}

type Outcome = { readonly kind: 'added'; readonly name: string } | { readonly kind: 'failed'; readonly error: unknown }

/** Makes what was said a statement of an intent of a project. Shown to those who may change intents. */
export const AddStatement = ({ project, text, guess, onAdded }: AddStatementProps) => {
  const { t } = useTranslation('understanding')
  const { can } = useSession()
  const client = useQueryClient()
  const isAllowed = can('readintent') && can('updateintent')
  const { data } = useQuery({
    queryKey: ['intent', 'list', { nluproject: project, all: true, names: true }],
    // A bot may understand by a project of a level above the one that its pages work in.
    queryFn: ({ signal }) => readAll('intent', { nluproject: project, sort: 'name', home: true }, signal),
    enabled: isAllowed,
  })
  const [chosen, setChosen] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)
  if (!isAllowed || data === undefined || data.items.length === 0) return null
  const guessed = data.items.find(({ name }) => name === guess)
  const intent = data.items.find(({ id }) => id === chosen) ?? guessed
  const add = async () => {
    if (intent === undefined) return
    setBusy(true)
    try {
      const remove = await addLine(intent.id, text)
      const undo = async () => {
        await remove()
        setOutcome(undefined)
        await client.invalidateQueries({ queryKey: ['intent'] })
      }
      setOutcome({ kind: 'added', name: String(intent.name) })
      onAdded?.({ intent: String(intent.name), undo })
      await client.invalidateQueries({ queryKey: ['intent'] })
    } catch (error) {
      setOutcome({ kind: 'failed', error })
    }
    setBusy(false)
  }
  if (outcome?.kind === 'added') return <Added intent={outcome.name} />
  return (
    <HStack gap="1.5" wrap="wrap">
      <IntentSelect
        label={t('intentfor', { text })}
        intents={data.items}
        value={intent?.id}
        disabled={isBusy}
        onChoose={setChosen}
      />
      <Button size="xs" variant="outline" disabled={intent === undefined || isBusy} loading={isBusy} onClick={add}>
        <Plus size={13} aria-hidden />
        {t('add')}
      </Button>
      {outcome === undefined ? null : (
        <Text as="p" role="alert" w="full" textStyle="secondary" color="danger.fg">
          {failureOf(outcome.error, t('notadded'))}
        </Text>
      )}
    </HStack>
  )
}
