import { Box, Button, HStack, Spinner, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, FileUp, type LucideIcon, Minus, Plus, Triangle, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { itemChanges } from '#domain/field/merge-items.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { isProblem, type LocalizedFieldProblem, type Problem, type RefusedRecord } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import type { Change } from '#web/entity/entity-query.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { BeforeAfter, ReferenceName } from '#web/entity/value-text.tsx'
import { bytesOf, numberText } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'
import { FileInput, FilePicker } from './file-picker.tsx'
import {
  applyImport,
  dryRun,
  type ImportItem,
  type ImportResult,
  type ImportSource,
  MAX_IMPORT_BYTES,
  refusedRecords,
} from './import-query.ts'

interface FieldErrorsProps {
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

const FieldErrors = ({
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
const ImportPreview = ({ entity, result, isRefused }: FieldErrorsProps) => {
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

interface ChosenSource extends ImportSource {
  readonly file: File
}

/** Why the file as a whole could not be read; `errors` name its columns. */
type Failure = Pick<Problem, 'message'> & Partial<Pick<Problem, 'errors'>>

type Step =
  | { readonly name: 'choose' }
  | { readonly name: 'checking' }
  | { readonly name: 'preview'; readonly result: ImportResult; readonly isRefused: boolean }

/** A whole import that was refused, as the preview shows it. */
const refusedResult = (problem: Problem): ImportResult | undefined => {
  const refused = refusedRecords(problem)
  return refused === undefined ? undefined : { rows: refused.length, created: 0, changed: 0, unchanged: 0, refused }
}

interface Props {
  readonly entity: EntityDeclaration
  /** The parent of the listed rows. */
  readonly fixed: Readonly<Record<string, string>>
  /** The process that wrote it. */
  onWritten(process: string): void
  onClose(): void
}

const useImport = ({ entity, fixed, onWritten, onClose }: Props) => {
  const { t } = useTranslation('list')
  const client = useQueryClient()
  const label = useLabel()
  const [chosen, setChosen] = useState<ChosenSource>()
  const [step, setStep] = useState<Step>({ name: 'choose' })
  const [error, setError] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const fail = (failure: unknown, before: Step) => {
    const result = isProblem(failure) ? refusedResult(failure) : undefined
    if (result !== undefined) return setStep({ name: 'preview', result, isRefused: true })
    setStep(before)
    setError(isProblem(failure) ? failure : { message: t('import.unreadable') })
  }
  const choose = async (file: File) => {
    setError(undefined)
    // Another key for each choice of a file: pressing the button again after a failure imports nothing twice.
    const source = { entity, fixed, file, key: crypto.randomUUID() }
    setChosen(source)
    setStep({ name: 'choose' })
    if (file.size > MAX_IMPORT_BYTES)
      return setError({ message: t('import.toolarge', { max: bytesOf(MAX_IMPORT_BYTES) }) })
    if (file.size === 0) return setError({ message: t('import.nothing') })
    setStep({ name: 'checking' })
    try {
      const result = await dryRun(source)
      setStep({ name: 'preview', result, isRefused: result.refused.length > 0 })
    } catch (failure) {
      fail(failure, { name: 'choose' })
    }
  }
  const apply = async () => {
    if (chosen === undefined) return
    setBusy(true)
    setError(undefined)
    try {
      const { created, changed, process } = await applyImport(chosen)
      await client.invalidateQueries()
      notice.toast(t('import.done', { name: label.plural(entity.name), created, changed }), { tone: 'positive' })
      if (process !== undefined) onWritten(process)
      onClose()
    } catch (failure) {
      fail(failure, step)
      setBusy(false)
    }
  }
  return { chosen, step, error, isBusy, choose, apply }
}

/** Reads a CSV file: a dry run shows what each row would do, then all of it is written or nothing. */
export const ImportDialog = (props: Props) => {
  const { entity, onClose } = props
  const { t } = useTranslation('list')
  const { t: ts } = useTranslation('shell')
  const label = useLabel()
  const input = useRef<HTMLInputElement>(null)
  const { chosen, step, error, isBusy, choose, apply } = useImport(props)
  const writes = step.name === 'preview' ? step.result.created + step.result.changed : 0
  const mayApply = step.name === 'preview' && !step.isRefused && writes > 0
  return (
    <Modal
      width={720}
      icon={<FileUp size={18} aria-hidden="true" />}
      title={t('import.title', { name: inSentence(label.plural(entity.name)) })}
      onClose={() => (isBusy ? undefined : onClose())}
      footer={
        <>
          {chosen === undefined ? null : (
            <Button disabled={isBusy || step.name === 'checking'} onClick={() => input.current?.click()}>
              <Upload size={15} aria-hidden="true" />
              {t('import.another')}
            </Button>
          )}
          <Text flex="1" />
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            {ts('cancel')}
          </Button>
          <Button variant="solid" disabled={!mayApply} loading={isBusy} onClick={() => void apply()}>
            {writes === 0 ? t('import.do') : t('import.apply', { count: writes })}
          </Button>
        </>
      }
    >
      <FileInput ref={input} accept=".csv,text/csv" label={t('import.choose')} onChoose={file => void choose(file)} />
      {chosen === undefined ? (
        <FilePicker onChoose={() => input.current?.click()} onDrop={file => void choose(file)} />
      ) : (
        <Text textStyle="dense" color="fg.muted" mb="3" overflowWrap="anywhere">
          {chosen.file.name} · {bytesOf(chosen.file.size)}
        </Text>
      )}
      {step.name === 'checking' ? (
        <HStack role="status" gap="2.5" py="4" textStyle="dense">
          <Spinner size="sm" />
          {t('import.checking')}
        </HStack>
      ) : null}
      {step.name === 'preview' ? (
        <ImportPreview entity={entity} result={step.result} isRefused={step.isRefused} />
      ) : null}
      {error === undefined ? null : (
        <Box mt="3">
          <ErrorLine text={error.message}>
            {error.errors === undefined ? null : <FieldErrors entity={entity} errors={error.errors} />}
          </ErrorLine>
        </Box>
      )}
    </Modal>
  )
}
