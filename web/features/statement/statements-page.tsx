import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileUp, MessagesSquare, Upload } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { fileUrl, http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { UploadProgress, useUploadProgress } from '#web/components/upload-progress.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTexts, useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { NameDialog } from '#web/entity/name-dialog.tsx'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { TrainButton, TrainingStatus, useModels, useTraining } from '#web/nlu/training-status.tsx'
import { notice } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useLevelOf } from '#web/shell/level.ts'
import { OWNERS, type StatementOwner, useIntents, useLastTraining } from './use-intents.ts'
import { StatementWorkspace } from './workspace.tsx'

type Preview = AnswerOf<'POST /nluproject/{id}/upload'>

const ENTITIES = ['intent', 'nluprojectentity', 'synonym', 'regex', 'story'] as const
const TONES = { added: 'positive', changed: 'accent', unchanged: 'neutral', refused: 'danger' } as const
const OUTCOMES = ['added', 'changed', 'unchanged', 'refused'] as const
/** Rows of a preview that are drawn. */
const MAX_ROWS = 200

/** Result of the last call, and its file. */
interface Standing {
  readonly file?: File
  readonly preview?: Preview
}

const faultOf = (error: unknown, plain: string): string =>
  isProblem(error) && error.status > 0 ? (error.errors?.[0]?.message ?? error.message) : plain

const useUpload = (project: string, onDone: () => void) => {
  const { t } = useTranslation('nlu')
  const client = useQueryClient()
  const [standing, setStanding] = useState<Standing>({})
  const progress = useUploadProgress()
  const send = async (file: File, dryrun: boolean) => {
    setStanding({ file })
    await progress.run(
      async options => {
        const of = { params: { id: project }, query: { dryrun } }
        const preview = await http.upload('/nluproject/{id}/upload', file, { ...of, ...options })
        if (dryrun) return setStanding({ file, preview })
        await client.invalidateQueries()
        notice.snack(t('file.done'), { tone: 'positive' })
        onDone()
      },
      error => faultOf(error, t('file.failed')),
    )
  }
  return { standing, progress, send }
}

const Rows = ({ preview: { rows, notunderstood } }: { readonly preview: Preview }) => {
  const { t } = useTranslation('nlu')
  const label = useLabel()
  const told = rows.filter(({ outcome }) => outcome !== 'unchanged').slice(0, MAX_ROWS)
  return (
    <>
      <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="md" maxH="260px" overflow="auto">
        {told.map(({ entity, name, outcome, count, errors = [] }) => (
          <Box as="li" key={`${entity} ${name}`} px="3" py="1.5" borderBottomWidth="1px" textStyle="dense">
            <HStack gap="2">
              <Text as="span" color="fg.muted" flex="none">
                {label.name(entity)}
              </Text>
              <Text as="span" fontFamily="mono" flex="1" minW="0" truncate title={name}>
                {name}
              </Text>
              {count > 0 ? <Text as="span">+{count}</Text> : null}
              <Chip tone={TONES[outcome]}>{t(`file.outcome.${outcome}`)}</Chip>
            </HStack>
            {errors.map(error => (
              <Text key={`${error.path}${error.message}`} color="danger.fg" textStyle="secondary">
                {error.message}
              </Text>
            ))}
          </Box>
        ))}
        {told.length === 0 ? (
          <Text as="li" px="3" py="2" color="fg.muted" textStyle="dense">
            {t('file.nothing')}
          </Text>
        ) : null}
      </Box>
      {notunderstood.length === 0 ? null : (
        <chakra.details mt="3" textStyle="dense">
          <chakra.summary cursor="pointer" focusVisibleRing="outside">
            {t('file.unreadtitle', { count: notunderstood.length })}
          </chakra.summary>
          <Box as="ul" ps="5" maxH="160px" overflow="auto" color="fg.muted">
            {notunderstood.slice(0, MAX_ROWS).map(({ path, code, name }) => (
              <li key={`${path} ${code} ${name}`}>
                {t(`unread.${code}`, { defaultValue: code })}: {name} ({path})
              </li>
            ))}
          </Box>
        </chakra.details>
      )}
    </>
  )
}

const FileChoice = ({ text, onChoose }: { readonly text: string; onChoose(file: File): void }) => {
  const { t } = useTranslation('nlu')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        accept=".yml,.yaml,.json,.jsonl,.md,.csv,.zip"
        aria-label={t('file.choose')}
        hidden
        onChange={event => {
          const [given] = event.target.files ?? []
          if (given !== undefined) onChoose(given)
          event.target.value = ''
        }}
      />
      <HStack gap="3">
        <Button data-autofocus onClick={() => input.current?.click()}>
          {t('file.choose')}
        </Button>
        <Text textStyle="dense" truncate>
          {text}
        </Text>
      </HStack>
    </>
  )
}

const Outcome = ({ preview }: { preview: Preview | undefined }) => {
  const { t } = useTranslation('nlu')
  if (preview === undefined) return null
  return (
    <Box role="status">
      <HStack gap="2" mb="2" flexWrap="wrap">
        {OUTCOMES.filter(outcome => preview[outcome] > 0).map(outcome => (
          <Chip key={outcome} tone={TONES[outcome]}>
            {t(`file.${outcome}`, { count: preview[outcome] })}
          </Chip>
        ))}
      </HStack>
      <Rows preview={preview} />
    </Box>
  )
}

/** Imports training data after a preview of the changes. */
const UploadDialog = ({ project, onClose }: { readonly project: string; onClose(): void }) => {
  const { t } = useTranslation('nlu')
  const { t: shell } = useTranslation('shell')
  const { standing, progress, send } = useUpload(project, onClose)
  useEntityTexts(ENTITIES)
  const { file, preview } = standing
  const isApplicable = preview !== undefined && preview.refused === 0 && preview.added + preview.changed > 0
  return (
    <Modal
      width={640}
      onClose={onClose}
      title={t('file.title')}
      icon={<FileUp size={18} aria-hidden="true" />}
      footer={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button
            variant="solid"
            disabled={!isApplicable}
            loading={progress.busy && file !== undefined}
            onClick={() => file && void send(file, false)}
          >
            {t('file.apply')}
          </Button>
        </>
      }
    >
      <Stack gap="3">
        <Text textStyle="dense" color="fg.muted">
          {t('file.text')}
        </Text>
        <FileChoice
          text={progress.busy ? t('file.reading') : (file?.name ?? '')}
          onChoose={given => void send(given, true)}
        />
        <UploadProgress {...progress} />
        <Outcome preview={preview} />
      </Stack>
    </Modal>
  )
}

const FORMATS = ['yaml', 'json'] as const

const download = (id: string, format: (typeof FORMATS)[number]) => {
  const link = document.createElement('a')
  link.href = fileUrl('/nluproject/{id}/download', { params: { id }, query: { format } })
  link.download = ''
  link.click()
}

/** Training data of a project out of a file, and into one. */
const ProjectFiles = ({ project }: { readonly project: RowOf<'nluproject' | 'brain'> }) => {
  const { t } = useTranslation('nlu')
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionMenu
        label={t('file.download')}
        actions={FORMATS.map(format => ({
          id: format,
          label: format.toUpperCase(),
          icon: Download,
          run: () => download(project.id, format),
        }))}
      >
        <Button>
          <Download size={15} aria-hidden="true" />
          {t('file.download')}
        </Button>
      </ActionMenu>
      {can('updatenluproject') ? (
        <Button onClick={() => setOpen(true)}>
          <Upload size={15} aria-hidden="true" />
          {t('file.import')}
        </Button>
      ) : null}
      {isOpen ? <UploadDialog project={project.id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface PageProps {
  readonly owner: StatementOwner
  /** The project or brain. */
  readonly project: RowOf<'nluproject' | 'brain'>
  /** Intent that is open when the address names none. */
  readonly initial?: string
}

interface StatusProps extends Omit<PageProps, 'initial'> {
  /** When the intents were read. */
  readonly contents: number
}

const ProjectStatus = ({ owner, project, contents }: StatusProps) => (
  <TrainingStatus
    training={useTraining(owner.parent, project, contents)}
    models={useModels(project)}
    isRunning={project.training_status === 'started'}
  />
)

/** The way to train intents that changed since the last training. */
const TrainIfChanged = ({ owner, project, contents }: StatusProps) => {
  const isStale = useTraining(owner.parent, project, contents)?.stale === true
  const isNew = useModels(project).length === 0
  if (project.training_status === 'started' || !(isStale || isNew)) return null
  return <TrainButton parent={owner.parent} project={project} />
}

const NoIntents = ({ onNew }: { readonly onNew: (() => void) | undefined }) => {
  const { t } = useTranslation('nlu')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <EmptyState icon={MessagesSquare} title={t('intent.empty')} text={t('intent.emptytext')}>
        {onNew === undefined ? null : (
          <Button variant="solid" onClick={onNew}>
            {t('intent.new')}
          </Button>
        )}
      </EmptyState>
    </Box>
  )
}

const Statements = ({ owner, project, initial }: PageProps) => {
  const { entity, parent } = owner
  const { can } = useSession()
  const [search] = useSearchParams()
  const [naming, setNaming] = useState(false)
  const { intents, index, query } = useIntents(owner, project.id)
  const chosen = search.get('intent') ?? initial
  const open = useMemo(() => intents.find(({ id }) => id === chosen), [intents, chosen])
  const training = useLastTraining(owner, project, intents)
  const status = { owner, project, contents: query.dataUpdatedAt }
  useLevelOf(parent, project)
  const base = `/${parent}/${entity}/${project.id}`
  const addressOf = (intent: string | undefined) => (intent === undefined ? base : `${base}?intent=${intent}`)
  const onNew = can(`create${entity}`) ? () => setNaming(true) : undefined
  // A phone that shows the lines of an intent has no room for what belongs to the project.
  const beside = open === undefined ? {} : { hideBelow: 'md' as const }
  return (
    <Page
      title={project.name}
      beside={
        <Box {...beside}>
          <ProjectStatus {...status} />
        </Box>
      }
      actions={
        <HStack gap="2" {...beside}>
          {parent === 'nluproject' ? <ProjectFiles project={project} /> : null}
          {intents.length > 0 ? <TrainIfChanged {...status} /> : null}
        </HStack>
      }
    >
      <ParentTabs entity={parent} id={project.id} active={entity} />
      {query.error && query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <RowsSkeleton rows={8} />
      ) : intents.length === 0 ? (
        <NoIntents onNew={onNew} />
      ) : (
        <StatementWorkspace {...{ owner, id: project.id, intents, index, open, addressOf, onNew, training }} />
      )}
      {naming ? (
        <NameDialog
          entity={entity}
          fixed={{ [parent]: project.id }}
          openAt={addressOf}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </Page>
  )
}

interface FoundProps {
  readonly owner: StatementOwner
  readonly id: string
  readonly initial?: string
}

const FoundProject = ({ owner, id, ...props }: FoundProps) => {
  const query = useQuery(detailQuery(owner.parent, id))
  const ready = useEntityTextsReady([owner.parent, owner.entity])
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !ready) return <PageSkeleton />
  return <Statements owner={owner} project={query.data} {...props} />
}

const ProjectStatements = ({ owner }: { readonly owner: StatementOwner }) => {
  const { id = '' } = useParams()
  return <FoundProject key={id} owner={owner} id={id} />
}

/** One intent in the workspace of its project. */
const Designer = ({ owner }: { readonly owner: StatementOwner }) => {
  const { id = '' } = useParams()
  const query = useQuery(detailQuery(owner.entity, id))
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <PageSkeleton />
  return (
    <FoundProject
      key={id}
      owner={owner}
      id={'brain' in query.data ? query.data.brain : query.data.nluproject}
      initial={id}
    />
  )
}

/** /nluproject/intent/{project} */
export const IntentsPage = () => <ProjectStatements owner={OWNERS.intent} />
/** /brain/nluintent/{brain} */
export const QuestionsPage = () => <ProjectStatements owner={OWNERS.nluintent} />
/** /intent/statementdesigner/{intent} */
export const IntentDesignerPage = () => <Designer owner={OWNERS.intent} />
/** /nluintent/statementdesigner/{question} */
export const QuestionDesignerPage = () => <Designer owner={OWNERS.nluintent} />
