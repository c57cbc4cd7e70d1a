import { Button, HStack, NativeSelect, Text } from '@chakra-ui/react'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { printStatement } from '#domain/nlu/project-data.ts'
import type { StatementIndex } from '#domain/nlu/statement-index.ts'
import type { ListedModel } from '#domain/nlu-training.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { type Intent, newLineId, type StatementOwner, useSaveLines } from '#web/features/statement/index.ts'
import { intentAddress, useAnswer } from './use-answer.ts'

interface Props {
  readonly owner: StatementOwner
  readonly project: RowOf<'nluproject' | 'brain'>
  readonly model: ListedModel
  readonly text: string
  readonly intents: readonly Intent[]
  readonly index: StatementIndex
}

const KnownLine = ({ address }: { readonly address: string }) => {
  const { t } = useTranslation('training')
  return (
    <>
      <HStack gap="1.5" textStyle="dense" color="positive.fg" role="status">
        <Check size={15} aria-hidden="true" />
        {t('try.there')}
      </HStack>
      <Button asChild size="xs" variant="ghost" color="accent.fg">
        <Link to={address}>{t('mistakes.open')}</Link>
      </Button>
    </>
  )
}

/** Adds the tried line to an intent: the one that the model thought of first, or another. Entities that it found are marked. */
export const AddLine = ({ owner, project, model, text, intents, index }: Props) => {
  const { t } = useTranslation('training')
  const { can } = useSession()
  const save = useSaveLines(owner, project.id)
  const { answer } = useAnswer(owner.parent, project.id, model.id, text)
  const [chosen, setChosen] = useState<string>()
  const [busy, setBusy] = useState(false)
  if (!can(`update${owner.entity}`) || intents.length === 0) return null
  const best = intents.find(({ name }) => name === answer?.ranking[0]?.name)
  const sorted = intents.toSorted((a, b) => a.name.localeCompare(b.name))
  const intent = intents.find(({ id }) => id === chosen) ?? best ?? sorted[0]
  const known = index.same(text).find(line => line.intent === intent?.id)
  const add = async () => {
    if (intent === undefined) return
    setBusy(true)
    const found = (answer?.entities ?? []).filter(({ by }) => by === 'learned' || by === 'lookup')
    const spans = found.map(({ start, end, entity }) => ({ start, end, entity }))
    await save(intent.id, lines => [{ id: newLineId(), text: printStatement({ text, spans }) }, ...lines])
    setBusy(false)
  }
  return (
    <Card title={t('try.add')}>
      <HStack px="4" pb="4" gap="2" flexWrap="wrap">
        <NativeSelect.Root size="sm" w={{ base: '100%', md: '280px' }}>
          <NativeSelect.Field
            aria-label={t('try.intent')}
            fontFamily="mono"
            value={intent?.id ?? ''}
            onChange={event => setChosen(event.target.value)}
          >
            {sorted.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
        {known === undefined ? (
          <Button variant="solid" loading={busy} onClick={() => void add()}>
            <Plus size={15} aria-hidden="true" />
            {t('try.doadd')}
          </Button>
        ) : (
          <KnownLine address={intentAddress(owner, project.id, known.intent, known.id)} />
        )}
        <Text textStyle="secondary" color="fg.muted">
          {t('mistakes.help')}
        </Text>
      </HStack>
    </Card>
  )
}
