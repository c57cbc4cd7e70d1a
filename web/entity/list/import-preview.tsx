import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { CircleAlert, type LucideIcon, Minus, Plus, Triangle } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { itemChanges } from '#domain/field/merge-items.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { LocalizedFieldProblem, RefusedRecord } from '#web/api/failure.ts'
import type { Change } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { BeforeAfter, ReferenceName } from '#web/entity/value-text.tsx'
import { numberText } from '#web/format/number.ts'
import type { ImportItem, ImportResult } from './import-query.ts'

interface Props {
  readonly entity: EntityDeclaration
  readonly result: ImportResult
  readonly isRefused: boolean
}

const OUTCOMES = [
  { name: 'created', icon: Plus, color: 'diff.added.fg' },
  { name: 'changed', icon: Triangle, color: 'diff.changed.fg' },
  { name: 'unchanged', icon: Minus, color: 'fg.muted' },
  { name: 'refused', icon: CircleAlert, color: 'danger.fg' },
] as const
type Outcome = (typeof OUTCOMES)[number]['name']

/** Rows drawn at once. */
const ROWS_STEP = 100

const countsOf = ({ created, changed, unchanged, refused }: ImportResult): Readonly<Record<Outcome, number>> => ({
  created,
  changed,
  unchanged,
  refused: refused.length,
})

interface LineProps {
  readonly row: number
  readonly title: React.ReactNode
  readonly icon: LucideIcon
  readonly color: string
  readonly word: string
  readonly children?: React.ReactNode
}

const Line = ({ row, title, icon: Icon, color, word, children }: LineProps) => {
  const { t } = useTranslation('list')
  return (
    <Box as="li" px="3" py="2" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <HStack gap="2.5" fontSize="sm">
        <Box color={color} flex="none">
          <Icon size={14} strokeWidth={2.25} aria-hidden="true" />
        </Box>
        <Text as="span" color="fg.muted" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {t('import.row', { row: numberText(row) })}
        </Text>
        <Text as="span" flex="1" minW="0" fontWeight="semibold" truncate>
          {title}
        </Text>
        <Text as="span" color={color} whiteSpace="nowrap">
          {word}
        </Text>
      </HStack>
      {children}
    </Box>
  )
}

export const FieldErrors = ({
  entity,
  errors,
}: {
  readonly entity: EntityDeclaration
  readonly errors: RefusedRecord['errors'] | readonly LocalizedFieldProblem[]
}) => {
  const label = useLabel()
  return (
    <Stack as="ul" listStyleType="none" gap="0.5" mt="1" ps="6" fontSize="sm">
      {errors.map(({ path, code, message }) => (
        <li key={`${path} ${code}`}>
          {path === '' ? null : <b>{label.path(entity.name, path)}: </b>}
          {message ?? code}
        </li>
      ))}
    </Stack>
  )
}

/** A change of a list as those of its items. */
const byItem =
  (entity: EntityDeclaration) =>
  (change: Change): readonly Change[] => {
    if (entity.fields[change.path]?.kind !== 'list') return [change]
    return itemChanges(change.path, change.before, change.after)
  }

const FieldChanges = ({
  entity,
  changes = [],
}: { readonly entity: EntityDeclaration } & Pick<ImportItem, 'changes'>) => {
  const label = useLabel()
  return changes.flatMap(byItem(entity)).map(change => (
    <Box key={change.path} mt="1.5" ps="6">
      <Text textStyle="secondary" color="fg.muted" mb="0.5">
        {label.path(entity.name, change.path)}
      </Text>
      <BeforeAfter entity={entity.name} change={change} />
    </Box>
  ))
}

/** The title that a record gives, or the one that the thing has. */
const Title = ({ entity, item }: { readonly entity: EntityDeclaration; readonly item: ImportItem }) => {
  const given = item.changes?.find(({ path }) => path === entity.title)?.after
  if (typeof given === 'string') return given
  return item.id === undefined ? null : <ReferenceName to={entity.name} id={item.id} />
}

interface OutcomeFilterProps {
  readonly counts: ReturnType<typeof countsOf>
  readonly shown: Outcome | undefined
  onChange(outcome: Outcome | undefined): void
}

const OutcomeFilter = ({ counts, shown, onChange }: OutcomeFilterProps) => {
  const { t } = useTranslation('list')
  return (
    <HStack gap="2" mb="3" flexWrap="wrap" role="group" aria-label={t('import.outcomes')}>
      {OUTCOMES.filter(({ name }) => counts[name] > 0).map(({ name, icon: Icon, color }) => (
        <Button
          key={name}
          aria-pressed={shown === name}
          bg={shown === name ? 'bg.sunken' : undefined}
          onClick={() => onChange(shown === name ? undefined : name)}
        >
          <Box as="span" color={color}>
            <Icon size={14} strokeWidth={2.25} aria-hidden="true" />
          </Box>
          {t(`import.${name}`, { count: counts[name], shown: numberText(counts[name]) })}
        </Button>
      ))}
    </HStack>
  )
}

/** Outcome per row of a file, or its errors. */
export const ImportPreview = ({ entity, result, isRefused }: Props) => {
  const { t } = useTranslation('list')
  const counts = countsOf(result)
  const items = (result.items ?? []).filter(({ outcome }) => outcome !== 'refused')
  const [shown, setShown] = useState<Outcome | undefined>(isRefused ? 'refused' : undefined)
  const [limit, setLimit] = useState(ROWS_STEP)
  const lookOf = (name: Outcome) => OUTCOMES.find(one => one.name === name) ?? OUTCOMES[2]
  const refused = result.refused.map(({ row, errors }) => ({ row, outcome: 'refused' as const, errors }))
  const rows = [...refused, ...items]
    .filter(({ outcome }) => shown === undefined || outcome === shown)
    .sort((a, b) => a.row - b.row)
  return (
    <>
      <OutcomeFilter
        counts={counts}
        shown={shown}
        onChange={outcome => {
          setLimit(ROWS_STEP)
          setShown(outcome)
        }}
      />
      <Text role="status" textStyle="dense" color={isRefused ? 'danger.fg' : 'fg.muted'} mb="3">
        {isRefused
          ? t('import.allornone')
          : result.created + result.changed === 0
            ? t('import.nothingtodo')
            : t('import.ready')}
      </Text>
      {rows.length === 0 ? null : (
        <Box
          as="ul"
          listStyleType="none"
          borderWidth="1px"
          borderRadius="md"
          maxH="min(380px, 45dvh)"
          overflow="auto"
          tabIndex={0}
          aria-label={t('import.rows')}
          focusVisibleRing="outside"
        >
          {rows.slice(0, limit).map(row => {
            const { icon, color } = lookOf(row.outcome)
            return (
              <Line
                key={`${row.outcome} ${row.row}`}
                row={row.row}
                title={'errors' in row ? undefined : <Title entity={entity} item={row} />}
                icon={icon}
                color={color}
                word={t(`import.word.${row.outcome}`)}
              >
                {'errors' in row ? <FieldErrors entity={entity} errors={row.errors} /> : null}
                {row.outcome === 'changed' ? <FieldChanges entity={entity} changes={row.changes ?? []} /> : null}
              </Line>
            )
          })}
          {rows.length > limit ? (
            <Box as="li" p="2" borderTopWidth="1px">
              <Button variant="ghost" w="100%" onClick={() => setLimit(limit + ROWS_STEP)}>
                {t('import.more', { count: rows.length - limit })}
              </Button>
            </Box>
          ) : null}
        </Box>
      )}
    </>
  )
}
