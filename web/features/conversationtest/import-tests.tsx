import { Box, Button, HStack, Spinner, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, FileUp, FlaskConical, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importRecords } from '#domain/conversation-test/import/read-import.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { conversationtest } from '#schemas/entities/conversationtest.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { FileInput, FilePicker } from '#web/entity/list/file-picker.tsx'
import {
  applyImport,
  dryRun,
  type ImportResult,
  type ImportSource,
  MAX_IMPORT_BYTES,
  refusedRecords,
} from '#web/entity/list/import-query.ts'
import { bytesOf } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'

const ACCEPTED = '.yaml,.yml,.txt,.csv,.json,.transcript'

type Read = AnswerOf<'POST /bot/{id}/readtests'>

interface Checked {
  readonly name: string
  readonly read: Read
  readonly source: ImportSource
  /** Result of the import's dry run; undefined if the file has no tests. */
  readonly plan: ImportResult | undefined
}

interface ImportProps {
  readonly bot: string
  onClose(): void
}

const planOf = async (source: ImportSource): Promise<ImportResult> => {
  try {
    return await dryRun(source)
  } catch (error) {
    const refused = isProblem(error) ? refusedRecords(error) : undefined
    if (refused === undefined) throw error
    return { rows: refused.length, created: 0, changed: 0, unchanged: 0, refused }
  }
}

const useImport = ({ bot, onClose }: ImportProps) => {
  const { t } = useTranslation('conversationtest')
  const client = useQueryClient()
  const [checked, setChecked] = useState<Checked>()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const during = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failureOf(failure, t('import.failed')))
    }
    setBusy(false)
  }
  const check = (file: File) =>
    during(async () => {
      setChecked(undefined)
      if (file.size > MAX_IMPORT_BYTES) return setError(t('import.toolarge', { max: bytesOf(MAX_IMPORT_BYTES) }))
      const text = await file.text()
      if (text.trim() === '') return setError(t('import.fault.empty'))
      const read = await http.post('/bot/{id}/readtests', {
        params: { id: bot },
        body: { name: file.name.slice(0, 200), text },
      })
      const source: ImportSource = {
        entity: conversationtest,
        fixed: { bot },
        file: new Blob([importRecords(read.tests)]),
        key: crypto.randomUUID(),
      }
      setChecked({ name: file.name, read, source, plan: read.tests.length === 0 ? undefined : await planOf(source) })
    })
  const apply = () =>
    during(async () => {
      if (checked === undefined) return
      const { created, changed } = await applyImport(checked.source)
      await client.invalidateQueries({ queryKey: ['conversationtest'] })
      notice.toast(t('import.done', { count: created + changed }), { tone: 'positive' })
      onClose()
    })
  return { checked, error, isBusy, check, apply }
}

const Faults = ({ faults }: Pick<Read, 'faults'>) => {
  const { t } = useTranslation('conversationtest')
  if (faults.length === 0) return null
  return (
    <Box mt="3">
      <Text textStyle="card" color="warning.fg" mb="1">
        {t('import.unread', { count: faults.length })}
      </Text>
      <Stack
        as="ul"
        listStyleType="none"
        gap="1"
        maxH="180px"
        overflowY="auto"
        textStyle="dense"
        tabIndex={0}
        aria-label={t('import.unread', { count: faults.length })}
      >
        {faults.map(({ line, code, text }) => (
          <HStack as="li" key={`${line} ${code} ${text ?? ''}`} gap="2" align="start">
            <Box color="warning.fg" pt="0.5" flex="none">
              <CircleAlert size={14} aria-hidden="true" />
            </Box>
            <Text as="span" color="fg.muted" flex="none">
              {t('import.line', { line })}
            </Text>
            <Text as="span" overflowWrap="anywhere">
              {t(`import.fault.${code as 'step'}`)}
              {text ? `: ${text}` : ''}
            </Text>
          </HStack>
        ))}
      </Stack>
    </Box>
  )
}

/** Preview of the import: tests, refused tests and unreadable parts. */
const Preview = ({ checked: { read, plan } }: { readonly checked: Checked }) => {
  const { t } = useTranslation('conversationtest')
  const refused = new Map(plan?.refused.map(({ row, errors }) => [row, errors]))
  const outcomes = new Map(plan?.items?.map(({ row, outcome }) => [row, outcome]))
  return (
    <>
      {read.tests.length === 0 ? null : (
        <Text textStyle="card" mb="1">
          {t('import.tests', { count: read.tests.length })}
        </Text>
      )}
      <Stack
        as="ul"
        listStyleType="none"
        gap="0"
        borderWidth={read.tests.length === 0 ? '0' : '1px'}
        borderRadius="md"
        maxH="260px"
        overflowY="auto"
        tabIndex={0}
        aria-label={t('title')}
      >
        {read.tests.map(({ name, steps, file }, place) => {
          const errors = refused.get(place + 1)
          const outcome = outcomes.get(place + 1)
          return (
            <Box
              as="li"
              key={`${name} ${file.length}`}
              px="3"
              py="2"
              css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
            >
              <HStack gap="2">
                <FlaskConical size={14} aria-hidden="true" />
                <Text as="span" flex="1" minW="0" truncate fontWeight="semibold" textStyle="dense">
                  {name}
                </Text>
                <Text as="span" textStyle="secondary" color="fg.muted">
                  {t('stepcount', { count: steps })}
                  {outcome === 'changed'
                    ? ` · ${t('import.replaces')}`
                    : outcome === 'unchanged'
                      ? ` · ${t('import.same')}`
                      : ''}
                </Text>
              </HStack>
              {errors?.map(({ path, code, message }) => (
                <Text key={`${path} ${code}`} textStyle="secondary" color="danger.fg" ps="6">
                  {message ?? code}
                </Text>
              ))}
            </Box>
          )
        })}
      </Stack>
      <Faults faults={read.faults} />
    </>
  )
}

const Reading = () => {
  const { t } = useTranslation('conversationtest')
  return (
    <HStack role="status" gap="2.5" py="3" textStyle="dense">
      <Spinner size="sm" />
      {t('import.reading')}
    </HStack>
  )
}

/** Takes in stories and transcripts: first what they hold and what could not be read, then all of them or none. */
export const ImportTests = (props: ImportProps) => {
  const { t } = useTranslation('conversationtest')
  const { t: ts } = useTranslation('shell')
  const input = useRef<HTMLInputElement>(null)
  const { checked, error, isBusy, check, apply } = useImport(props)
  const { plan } = checked ?? {}
  const writes = plan === undefined || plan.refused.length > 0 ? 0 : plan.created + plan.changed
  return (
    <Modal
      width={640}
      icon={<FileUp size={18} aria-hidden="true" />}
      title={t('import.title')}
      onClose={props.onClose}
      footer={
        <>
          {checked === undefined ? null : (
            <Button disabled={isBusy} onClick={() => input.current?.click()}>
              <Upload size={15} aria-hidden="true" />
              {t('import.another')}
            </Button>
          )}
          <Text flex="1" />
          <Button variant="ghost" disabled={isBusy} onClick={props.onClose}>
            {ts('cancel')}
          </Button>
          <Button variant="solid" disabled={writes === 0} loading={isBusy} onClick={() => void apply()}>
            {t('import.apply', { count: writes })}
          </Button>
        </>
      }
    >
      <FileInput ref={input} accept={ACCEPTED} label={t('import.choose')} onChoose={file => void check(file)} />
      {checked === undefined ? (
        <FilePicker
          text={t('import.text')}
          choose={t('import.choose')}
          onChoose={() => input.current?.click()}
          onDrop={file => void check(file)}
        />
      ) : (
        <>
          <Text textStyle="dense" color="fg.muted" mb="3" overflowWrap="anywhere">
            {checked.name}
          </Text>
          <Preview checked={checked} />
        </>
      )}
      {isBusy && checked === undefined ? <Reading /> : null}
      <ErrorLine text={error} mt="3" />
    </Modal>
  )
}
