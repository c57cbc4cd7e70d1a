import { Box, chakra, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUsable } from '#domain/template/sendable.ts'
import type { RowOf } from '#schemas/row.ts'
import type { LocalizedFieldProblem } from '#web/api/failure.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useLabel } from '#web/entity/label.ts'
import { TryWithoutMeta } from '#web/features/simulatednumber/index.ts'
import { TemplateChip } from '#web/features/template/index.ts'
import { Select } from '#web/form/labelled-select.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { KeyNotice } from '../app/app-chips.tsx'
import { phoneOf } from '../app/app-query.ts'
import { type Sender, templatesQuery } from './create-query.ts'

/** From so many templates on there is a field to look for one. */
const SEARCHED = 7

export interface TemplateChoice {
  readonly name: string
  readonly sender: Sender | undefined
  readonly template: string | undefined
  /** The template that it is compared with. */
  readonly templateB: string | undefined
  /** Percent. */
  readonly share: number
}

interface Props {
  readonly choice: TemplateChoice
  readonly accounts: readonly RowOf<'metaaccount'>[]
  readonly channels: readonly RowOf<'channel'>[]
  readonly errors: readonly LocalizedFieldProblem[]
  onChange(choice: TemplateChoice): void
}

const Option = ({
  row,
  name,
  isChosen,
  onChoose,
}: {
  readonly row: RowOf<'template'>
  readonly name: string
  readonly isChosen: boolean
  onChoose(): void
}) => {
  const label = useLabel()
  const words = (['templateType', 'category', 'language'] as const).map(field =>
    label.option('template', field, row[field]),
  )
  return (
    <chakra.label
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="3"
      rowGap="2"
      p="3"
      bg={isChosen ? 'accent.subtle' : 'bg.surface'}
      borderWidth="1px"
      borderColor={isChosen ? 'accent.solid' : 'border'}
      borderRadius="lg"
      cursor="pointer"
      _hover={{ borderColor: isChosen ? 'accent.solid' : 'border.emphasized' }}
      _focusWithin={{ outline: '2px solid', outlineColor: 'accent.focusRing', outlineOffset: '2px' }}
    >
      <chakra.input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        accentColor="var(--chakra-colors-accent-solid)"
      />
      <Box flex="1 1 170px" minW="0">
        <Text textStyle="code" fontWeight="semibold" overflowWrap="anywhere">
          {row.templateName}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {words.join(' · ')}
        </Text>
      </Box>
      <HStack gap="1.5" flexWrap="wrap">
        <TemplateChip row={row} />
      </HStack>
    </chakra.label>
  )
}

const Templates = ({ choice, onChange }: Pick<Props, 'choice' | 'onChange'>) => {
  const { t } = useTranslation('campaign')
  const name = useId()
  const [search, setSearch] = useState('')
  const { data } = useQuery(templatesQuery(choice.sender))
  if (choice.sender === undefined) return <Text color="fg.muted">{t('create.accountfirst')}</Text>
  if (data === undefined) return <RowsSkeleton />
  const sendable = data.filter(isUsable)
  if (sendable.length === 0)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <EmptyState small icon={LayoutTemplate} title={t('create.notemplate')} text={t('create.notemplatetext')}>
          <RouterLink
            to={`/template?${choice.sender.kind}=${choice.sender.id}`}
            color="accent.fg"
            fontWeight="semibold"
          >
            {t('template.new')}
          </RouterLink>
        </EmptyState>
      </Box>
    )
  const found = sendable.filter(({ templateName }) => templateName.includes(search.trim().toLowerCase()))
  return (
    <Stack gap="2" role="radiogroup" aria-label={t('report.template')}>
      {sendable.length >= SEARCHED ? (
        <Input
          type="search"
          aria-label={t('create.find')}
          placeholder={t('create.find')}
          value={search}
          onChange={event => setSearch(event.target.value)}
        />
      ) : null}
      {found.map(row => (
        <Option
          key={row.id}
          row={row}
          name={name}
          isChosen={row.id === choice.template}
          onChoose={() => onChange({ ...choice, template: row.id, templateB: undefined })}
        />
      ))}
    </Stack>
  )
}

const MIN_SHARE = 2
const MAX_SHARE = 100

/** Second template of a comparison, and its share of the recipients. */
const Comparison = ({
  choice,
  error,
  onChange,
}: Pick<Props, 'choice' | 'onChange'> & { error: string | undefined }) => {
  const { t } = useTranslation('campaign')
  const { data = [] } = useQuery(templatesQuery(choice.sender))
  const chosen = data.find(({ id }) => id === choice.template)
  const others = data.filter(one => isUsable(one) && one.id !== choice.template && one.category === chosen?.category)
  if (chosen === undefined || (others.length === 0 && choice.templateB === undefined)) return null
  return (
    <Stack gap="3" direction={{ base: 'column', md: 'row' }}>
      <Field.Root invalid={error !== undefined} data-field="template_b" flex="3">
        <Field.Label>{t('compare.with')}</Field.Label>
        <Select
          value={choice.templateB ?? ''}
          none={t('compare.none')}
          options={others.map(({ id, templateName }) => [id, templateName])}
          onChange={id => onChange({ ...choice, templateB: id || undefined })}
        />
        <Field.HelperText>{t('compare.withhint')}</Field.HelperText>
        <Field.ErrorText>{error}</Field.ErrorText>
      </Field.Root>
      {choice.templateB === undefined ? null : (
        <Field.Root data-field="compare_share" flex="1">
          <Field.Label>{`${t('compare.share')} (%)`}</Field.Label>
          <Input
            type="number"
            min={MIN_SHARE}
            max={MAX_SHARE}
            value={choice.share}
            onChange={event => onChange({ ...choice, share: Number(event.target.value) })}
          />
        </Field.Root>
      )}
    </Stack>
  )
}

const errorAt = (errors: readonly LocalizedFieldProblem[], path: string) =>
  errors.find(error => error.path === path)?.message

/** Name of the campaign, sender number and template. */
export const TemplateStep = ({ choice, accounts, channels, errors, onChange }: Props) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const { sender } = choice
  const account = sender?.kind === 'metaaccount' ? accounts.find(({ id }) => id === sender.id) : undefined
  const senders: readonly Sender[] = [
    ...accounts.map(({ id }) => ({ kind: 'metaaccount', id }) as const),
    ...channels.map(({ id }) => ({ kind: 'channel', id }) as const),
  ]
  const nameError = errorAt(errors, 'name')
  const templateError = errorAt(errors, 'template')
  if (senders.length === 0)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <TryWithoutMeta />
      </Box>
    )
  return (
    <Stack gap="5">
      {account === undefined ? null : <KeyNotice app={account.metaapp} account={account.id} />}
      <Field.Root invalid={nameError !== undefined} required data-field="name">
        <Field.Label>{label.field('campaign', 'name')}</Field.Label>
        <Input
          fontFamily="mono"
          maxLength={200}
          value={choice.name}
          onChange={event => onChange({ ...choice, name: event.target.value })}
        />
        <Field.HelperText>{label.texts('campaign', 'name').hint}</Field.HelperText>
        <Field.ErrorText>{nameError}</Field.ErrorText>
      </Field.Root>
      <Field.Root required data-field="metaaccount">
        <Field.Label>{t('create.from')}</Field.Label>
        <Select
          value={sender?.id ?? ''}
          none={t('create.choosenumber')}
          options={[
            ...accounts.map(one => [one.id, `${phoneOf(one)} · ${one.name}`] as const),
            ...channels.map(
              one => [one.id, `${one.name} · ${label.option('template', 'provider', one.type)}`] as const,
            ),
          ]}
          onChange={id =>
            onChange({
              ...choice,
              sender: senders.find(one => one.id === id),
              template: undefined,
              templateB: undefined,
            })
          }
        />
        <Field.ErrorText>{errorAt(errors, 'metaaccount') ?? errorAt(errors, 'channel')}</Field.ErrorText>
      </Field.Root>
      <Box data-field="template">
        <Text textStyle="card" mb="2">
          {t('report.template')}
        </Text>
        <Templates choice={choice} onChange={onChange} />
        {templateError === undefined ? null : (
          <Text mt="2" role="alert" textStyle="secondary" color="danger.fg">
            {templateError}
          </Text>
        )}
      </Box>
      <Comparison choice={choice} error={errorAt(errors, 'template_b')} onChange={onChange} />
    </Stack>
  )
}
