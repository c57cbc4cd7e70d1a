import { Box, Button, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Download, MessagesSquare, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { fileUrl } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { NameDialog } from '#web/entity/name-dialog.tsx'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { TrainingStatus, useModels, useTraining } from '#web/nlu/training-status.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useLevelOf } from '#web/shell/level.ts'
import { UploadDialog } from './upload-dialog.tsx'
import { OWNERS, type StatementOwner, useIntents, useLastTraining } from './use-intents.ts'
import { StatementWorkspace } from './workspace.tsx'

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

const ProjectStatus = ({ owner, project, contents }: Omit<PageProps, 'initial'> & { contents: number }) => (
  <TrainingStatus
    training={useTraining(owner.parent, project, contents)}
    models={useModels(project)}
    isRunning={project.training_status === 'started'}
  />
)

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
          <ProjectStatus owner={owner} project={project} contents={query.dataUpdatedAt} />
        </Box>
      }
      actions={
        parent === 'nluproject' ? (
          <HStack gap="2" {...beside}>
            <ProjectFiles project={project} />
          </HStack>
        ) : null
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
