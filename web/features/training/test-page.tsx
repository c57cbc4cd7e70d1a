import { Box, Button, HStack, Input, SimpleGrid, Spinner, Stack, Text } from '@chakra-ui/react'
import { Check, CircleAlert, CircleCheck, GraduationCap, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { printStatement } from '#domain/nlu/project-data.ts'
import type { StatementIndex } from '#domain/nlu/statement-index.ts'
import type { ListedModel } from '#domain/nlu-training.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import {
  type Intent,
  MarkedText,
  newLineId,
  OWNERS,
  type StatementOwner,
  useEntityNames,
  useIntents,
  useSaveLines,
} from '#web/features/statement/index.ts'
import { Select } from '#web/form/labelled-select.tsx'
import { type Parent, type Understanding, useModels } from '#web/nlu/training-status.tsx'
import { Page } from '#web/page/page.tsx'
import { useDebouncedValue } from '#web/timer.ts'
import { ProjectPage } from './project-page.tsx'
import { intentAddress, useAnswer } from './use-answer.ts'

interface AnswerPaneProps {
  readonly parent: Parent
  readonly id: string
  readonly model: ListedModel
  readonly text: string
  /** Names of the project's entities, for their colours. */
  readonly entities: readonly string[]
}

type AnswerProps = { readonly answer: Understanding }

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Box>
    <Text as="h3" textStyle="label" color="fg.muted" mb="1.5">
      {title}
    </Text>
    {children}
  </Box>
)

const IntentAnswer = ({ answer: { intent, confidence, threshold } }: AnswerProps) => {
  const { t } = useTranslation('training')
  const Glyph = intent === null ? CircleAlert : CircleCheck
  return (
    <Box>
      <HStack gap="2">
        <Chip tone={intent === null ? 'warning' : 'positive'} fontFamily="mono" minW="0" flexShrink="1">
          <Glyph size={13} aria-hidden="true" style={{ flex: 'none' }} />
          <Text as="span" truncate>
            {intent ?? t('nothing')}
          </Text>
        </Chip>
        <Text as="span" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {t('figure', { value: confidence })}
        </Text>
      </HStack>
      {intent === null ? (
        <Text textStyle="secondary" color="fg.muted" mt="1">
          {t('try.below', { threshold })}
        </Text>
      ) : null}
    </Box>
  )
}

/** Intents as bars, the least confidence that a bot takes as a dashed line. */
const Ranking = ({ answer: { ranking, threshold } }: AnswerProps) => {
  const { t } = useTranslation('training')
  return (
    <Stack as="ol" listStyleType="none" gap="1">
      {ranking.map(({ name, confidence }) => (
        <HStack as="li" key={name} gap="2" minH="6">
          <Text as="span" w="40%" minW="0" fontFamily="mono" fontSize="xs" truncate title={name}>
            {name}
          </Text>
          <Box flex="1" h="2" bg="bg.sunken" borderRadius="full" position="relative" aria-hidden="true">
            <Box
              h="100%"
              borderRadius="full"
              bg={confidence < threshold ? 'fg.subtle' : 'positive.solid'}
              style={{ width: `${confidence * 100}%` }}
            />
            <Box
              position="absolute"
              top="-4px"
              h="16px"
              borderInlineStartWidth="2px"
              borderStyle="dashed"
              borderColor="warning.solid"
              style={{ left: `${threshold * 100}%` }}
            />
          </Box>
          <Text as="span" w="10" textAlign="end" textStyle="dense" fontVariantNumeric="tabular-nums">
            {t('figure', { value: confidence })}
          </Text>
        </HStack>
      ))}
    </Stack>
  )
}

const Entities = ({ answer: { entities }, text, names }: AnswerProps & { text: string; names: readonly string[] }) => {
  const { t } = useTranslation('training')
  if (entities.length === 0)
    return (
      <Text textStyle="dense" color="fg.muted">
        {t('try.noentities')}
      </Text>
    )
  const spans = entities.map(({ start, end, entity }) => ({ start, end, entity }))
  return (
    <>
      <Box fontSize="sm" lineHeight="1.6" overflowWrap="anywhere" mb="2">
        <MarkedText statement={{ text, spans }} entities={names} />
      </Box>
      <Stack as="ul" listStyleType="none" gap="1">
        {entities.map(({ entity, value, start, confidence, by }) => (
          <HStack as="li" key={`${entity} ${start}`} gap="2" textStyle="dense" flexWrap="wrap">
            <Text as="span" fontFamily="mono" fontSize="xs">
              {entity} = {String(value)}
            </Text>
            <Text as="span" textStyle="secondary" color="fg.muted">
              {t(`try.by.${by}`)}
              {by === 'learned' ? `, ${t('figure', { value: confidence })}` : ''}
            </Text>
          </HStack>
        ))}
      </Stack>
    </>
  )
}

const Reasons = ({ answer: { reasons } }: AnswerProps) => {
  const { t } = useTranslation('training')
  const groups = [
    { key: 'for', list: reasons.for, icon: Plus, tone: 'positive' },
    { key: 'against', list: reasons.against, icon: Minus, tone: 'warning' },
  ] as const
  return (
    <Stack gap="1.5">
      {groups.map(({ key, list, icon: Glyph, tone }) =>
        list.length === 0 ? null : (
          <HStack key={key} gap="1.5" flexWrap="wrap">
            <Text as="span" textStyle="secondary" color="fg.muted">
              {t(`try.${key}`)}
            </Text>
            {list.map(({ text }) => (
              <Chip key={text} tone={tone} fontFamily="mono" fontWeight="normal">
                <Glyph size={11} aria-hidden="true" />
                {text.replaceAll('_', '·')}
              </Chip>
            ))}
          </HStack>
        ),
      )}
    </Stack>
  )
}

/** One model's answer: intent, ranking, entities and reasons. */
const AnswerPane = ({ parent, id, model, text, entities }: AnswerPaneProps) => {
  const { t } = useTranslation('training')
  const { answer, error } = useAnswer(parent, id, model.id, text)
  const flags = [...(model.production ? [t('production')] : []), ...(model.test ? [t('test')] : [])]
  return (
    <Card
      title={[t('model', { number: model.number }), ...flags].join(' · ')}
      beside={
        answer === undefined ? undefined : (
          <Text as="span" textStyle="secondary" color="fg.muted">
            {t('try.ms', { ms: answer.ms })}
          </Text>
        )
      }
    >
      <Stack px="4" pb="4" gap="4" aria-live="polite">
        <ErrorLine text={error} />
        {answer === undefined && error === undefined ? <Spinner size="sm" /> : null}
        {answer === undefined ? null : (
          <>
            <IntentAnswer answer={answer} />
            <Part title={t('try.ranking')}>
              <Ranking answer={answer} />
            </Part>
            <Part title={t('try.entities')}>
              <Entities answer={answer} text={text} names={entities} />
            </Part>
            <Part title={t('try.why')}>
              <Reasons answer={answer} />
            </Part>
          </>
        )}
      </Stack>
    </Card>
  )
}

interface AddLineProps {
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
const AddLine = ({ owner, project, model, text, intents, index }: AddLineProps) => {
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
        <Select
          size="sm"
          w={{ base: '100%', md: '280px' }}
          field={{ 'aria-label': t('try.intent'), fontFamily: 'mono' }}
          value={intent?.id ?? ''}
          options={sorted.map(({ id, name }) => [id, name])}
          onChange={setChosen}
        />
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

interface Props {
  readonly owner: StatementOwner
  readonly project: RowOf<'nluproject' | 'brain'>
}

const MAX_TRIED = 8

const ModelSelect = ({
  label,
  value,
  models,
  onChange,
  none,
}: {
  label: string
  value: string
  models: readonly ListedModel[]
  onChange(id: string): void
  /** Label of no model. */
  none?: string
}) => {
  const { t } = useTranslation('training')
  return (
    <HStack as="label" gap="2" textStyle="secondary" color="fg.muted">
      {label}
      <Select
        size="sm"
        w="auto"
        value={value}
        none={none}
        options={models.map(({ id, number, production, test }) => [
          id,
          [t('model', { number }), ...(production ? [t('production')] : []), ...(test ? [t('test')] : [])].join(' · '),
        ])}
        onChange={onChange}
      />
    </HStack>
  )
}

/** The models that are asked: test and production where both are, else the newest. */
const useChosenModels = (models: readonly ListedModel[]) => {
  const test = models.find(model => model.test)
  const production = models.find(model => model.production)
  const usual = test ?? production ?? models[0]
  const [chosen, setChosen] = useState<string>()
  const [against, setAgainst] = useState<string>()
  const first = models.find(({ id }) => id === chosen) ?? usual
  const other = against === undefined ? production : models.find(({ id }) => id === against)
  return { first, other: other === first ? undefined : other, setChosen, setAgainst }
}

interface TriedProps {
  readonly lines: readonly string[]
  onChoose(line: string): void
}

const Tried = ({ lines, onChoose }: TriedProps) => {
  const { t } = useTranslation('training')
  if (lines.length === 0) return null
  return (
    <HStack gap="1.5" flexWrap="wrap" mt="2.5" role="group" aria-label={t('try.tried')}>
      <Text as="span" textStyle="secondary" color="fg.muted">
        {t('try.tried')}
      </Text>
      {lines.map(line => (
        <Button key={line} size="xs" variant="outline" maxW="260px" onClick={() => onChoose(line)}>
          <Text as="span" truncate>
            {line}
          </Text>
        </Button>
      ))}
    </HStack>
  )
}

const NoModel = ({ owner, project }: Props) => {
  const { t } = useTranslation('training')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <EmptyState icon={GraduationCap} title={t('empty')} text={t('emptytext')}>
        <Button asChild variant="solid">
          <Link to={`/${owner.parent}/training/${project.id}`}>{t('try.totraining')}</Link>
        </Button>
      </EmptyState>
    </Box>
  )
}

interface AnswersProps extends Props {
  readonly models: readonly ListedModel[]
  readonly text: string
}

/** Each model's answer, and a control to add the line. */
const Answers = ({ owner, project, models, text }: AnswersProps) => {
  const { intents, index } = useIntents(owner, project.id)
  const entities = useEntityNames(owner, project.id)
  const [first] = models
  return (
    <>
      <SimpleGrid columns={{ base: 1, lg: models.length }} gap="4" alignItems="start">
        {models.map(model => (
          <AnswerPane key={model.id} parent={owner.parent} id={project.id} {...{ model, text, entities }} />
        ))}
      </SimpleGrid>
      {first === undefined ? null : <AddLine key={text} {...{ owner, project, text, intents, index }} model={first} />}
    </>
  )
}

const useTried = () => {
  const [tried, setTried] = useState<readonly string[]>([])
  const keep = (line: string) => {
    if (line !== '') setTried(known => [line, ...known.filter(each => each !== line)].slice(0, MAX_TRIED))
  }
  return { tried, keep }
}

const Asked = ({ owner, project }: Props) => {
  const { t } = useTranslation('training')
  const [search] = useSearchParams()
  const models = useModels(project)
  const { first, other, setChosen, setAgainst } = useChosenModels(models)
  const [typed, setTyped] = useState(search.get('text') ?? '')
  const { tried, keep } = useTried()
  const text = useDebouncedValue(typed.trim(), 250)
  if (first === undefined) return <NoModel owner={owner} project={project} />
  return (
    <Stack gap="4">
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" p="4">
        <Input
          size={{ base: 'lg', md: 'md' }}
          autoFocus
          aria-label={t('try.one')}
          placeholder={t('try.placeholder')}
          maxLength={4000}
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onBlur={() => keep(typed.trim())}
          onKeyDown={event => {
            if (event.key === 'Enter') keep(typed.trim())
          }}
        />
        <HStack gap="4" mt="3" flexWrap="wrap">
          <ModelSelect label={t('try.with')} value={first.id} models={models} onChange={setChosen} />
          {models.length < 2 ? null : (
            <ModelSelect
              label={t('try.other')}
              value={other?.id ?? ''}
              models={models.filter(model => model !== first)}
              onChange={setAgainst}
              none={t('try.nobody')}
            />
          )}
        </HStack>
        <Tried lines={tried.filter(line => line !== typed.trim())} onChoose={setTyped} />
      </Box>
      {text === '' ? (
        <Text textStyle="dense" color="fg.muted" textAlign="center" py="8">
          {t('try.none')}
        </Text>
      ) : (
        <Answers {...{ owner, project, text }} models={other === undefined ? [first] : [first, other]} />
      )}
    </Stack>
  )
}

const Shown = ({ owner, project }: Props) => {
  const { t } = useTranslation('training')
  return (
    <Page title={project.name} name={t('try.title')}>
      <ParentTabs entity={owner.parent} id={project.id} active="testnlu" />
      <Asked owner={owner} project={project} />
    </Page>
  )
}

/** /nluproject/testnlu/{project} */
export const TestPage = () => <ProjectPage shown={Shown} owner={OWNERS.intent} />
/** /brain/testnlu/{brain} */
export const BrainTestPage = () => <ProjectPage shown={Shown} owner={OWNERS.nluintent} />
