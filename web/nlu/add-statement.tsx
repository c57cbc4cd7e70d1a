import { Button, HStack, NativeSelect, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { printStatement } from '#domain/nlu/project-data.ts'
import type { Json } from '#schemas/event.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { readAll } from '#web/entity/read-all.ts'

interface AddStatementProps {
  readonly project: string
  /** What somebody said, without marks. */
  readonly text: string
  /** Chosen at first. */
  readonly guess?: string | undefined
  readonly onAdded?: (intent: string) => void
}

const linesOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Ends an intent's lines with this one. Lines that others add meanwhile stay: the server merges them by their ids. */
const addLine = async ({ id }: Row, text: string): Promise<void> => {
  const params = { entity: 'intent', id }
  const row = await http.get('/{entity}/{id}', { params })
  const line = { id: crypto.randomUUID().replaceAll('-', '').slice(0, 12), text: printStatement({ text, spans: [] }) }
  const body = { statements: [...linesOf(row.statements as Json), line] }
  await http.patch('/{entity}/{id}', { params, body, revision: row.revision })
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
    <NativeSelect.Root size="xs" flex="1" minW="32" disabled={disabled}>
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

type Outcome = { readonly kind: 'added'; readonly name: string } | { readonly kind: 'failed'; readonly error: unknown }

/** Makes what was said a statement of an intent of a project. Shown to those who may change intents. */
export const AddStatement = ({ project, text, guess, onAdded }: AddStatementProps) => {
  const { t } = useTranslation('understanding')
  const { can } = useSession()
  const client = useQueryClient()
  const isAllowed = can('readintent') && can('updateintent')
  const { data } = useQuery({
    queryKey: ['intent', 'list', { nluproject: project, all: true, names: true }],
    queryFn: ({ signal }) => readAll('intent', { nluproject: project, sort: 'name' }, signal),
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
      await addLine(intent, text)
      setOutcome({ kind: 'added', name: String(intent.name) })
      onAdded?.(String(intent.name))
      await client.invalidateQueries({ queryKey: ['intent'] })
    } catch (error) {
      setOutcome({ kind: 'failed', error })
    }
    setBusy(false)
  }
  if (outcome?.kind === 'added')
    return (
      <HStack role="status" gap="1.5" textStyle="secondary" color="positive.fg">
        <Check size={14} aria-hidden />
        <Text as="span">{t('added', { intent: outcome.name })}</Text>
      </HStack>
    )
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
