import { Button, chakra, Flex, HStack, Text } from '@chakra-ui/react'
import { ArrowLeft, MessageSquareText, PenLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { StatementIndex } from '#domain/nlu/statement-index.ts'
import { useSession } from '#web/api/session.ts'
import { FactsPane } from './facts-pane.tsx'
import { IntentList } from './intent-list.tsx'
import { StatementPane } from './statement-pane.tsx'
import { type Intent, type StatementOwner, useEntityNames, useSaveLines } from './use-intents.ts'
import type { LastTraining } from './use-last-training.ts'

const RouterLink = chakra(Link)

interface Props {
  readonly owner: StatementOwner
  /** Id of the project or brain. */
  readonly id: string
  readonly intents: readonly Intent[]
  readonly index: StatementIndex
  readonly open: Intent | undefined
  /** Address of the list with an intent open, or none. */
  readonly addressOf: (intent: string | undefined) => string
  readonly onNew: (() => void) | undefined
  readonly training: LastTraining
}

const Pane = ({ children, ...props }: React.ComponentProps<typeof Flex>) => (
  <Flex direction="column" minH="0" minW="0" bg="bg.surface" {...props}>
    {children}
  </Flex>
)

interface HeadProps {
  readonly owner: StatementOwner
  readonly intent: Intent
  readonly back: string
  readonly f1: number | undefined
}

const IntentHead = ({ owner, intent, back, f1 }: HeadProps) => {
  const { t } = useTranslation('nlu')
  return (
    <HStack px={{ base: '3', md: '4' }} pt="3" gap="2" flexWrap="wrap">
      <RouterLink to={back} aria-label={t('intent.back')} hideFrom="md" p="2" focusVisibleRing="outside">
        <ArrowLeft size={18} aria-hidden="true" />
      </RouterLink>
      <Text as="h2" fontFamily="mono" fontWeight="bold" flex="1" minW="0" truncate>
        {intent.name}
      </Text>
      <Text textStyle="secondary" color="fg.muted" hideBelow="md">
        {t('intent.lines', { count: intent.statements.length })}
      </Text>
      {f1 === undefined ? null : (
        <Text textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('intent.f1', { value: f1 })}
        </Text>
      )}
      <Button asChild size="xs">
        <Link to={`/${owner.entity}/responsedesigner/${intent.id}`}>
          <MessageSquareText size={14} aria-hidden="true" />
          {t('intent.responses')}
        </Link>
      </Button>
      <Button asChild size="xs" variant="ghost">
        <Link to={`/${owner.entity}/${intent.id}`} aria-label={t('intent.form')} title={t('intent.form')}>
          <PenLine size={14} aria-hidden="true" />
        </Link>
      </Button>
    </HStack>
  )
}

const Aside = (props: React.ComponentProps<typeof FactsPane>) => {
  const { t } = useTranslation('nlu')
  return (
    <Pane
      as="aside"
      aria-label={t('facts.title')}
      w="240px"
      flex="none"
      borderInlineStartWidth="1px"
      overflow="auto"
      hideBelow="xl"
    >
      <FactsPane {...props} />
    </Pane>
  )
}

/** Three panes: intents, the lines of one, and what they hold. A narrow window shows the first or the second. */
export const StatementWorkspace = ({ owner, id, intents, index, open, addressOf, onNew, training }: Props) => {
  const { t } = useTranslation('nlu')
  const { can } = useSession()
  const save = useSaveLines(owner, id)
  const declared = useEntityNames(owner, id)
  const canEdit = can(`update${owner.entity}`)
  return (
    <Flex
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
      h={{ base: 'calc(100dvh - 210px)', md: 'calc(100dvh - 240px)' }}
      minH="420px"
    >
      <Pane
        w={{ base: '100%', md: '300px', xl: '320px' }}
        flex="none"
        borderInlineEndWidth={{ base: '0', md: '1px' }}
        hideBelow={open === undefined ? undefined : 'md'}
      >
        <IntentList
          intents={intents}
          index={index}
          open={open?.id}
          addressOf={addressOf}
          f1={training.f1}
          {...(onNew === undefined ? {} : { onNew })}
        />
      </Pane>
      {open === undefined ? (
        <Pane flex="1" hideBelow="md" align="center" justify="center">
          <Text color="fg.muted" textStyle="dense">
            {t('intent.choose')}
          </Text>
        </Pane>
      ) : (
        <>
          <Pane flex="1">
            <IntentHead owner={owner} intent={open} back={addressOf(undefined)} f1={training.f1.get(open.name)} />
            <StatementPane key={open.id} intent={open} entities={declared} {...{ index, canEdit, training, save }} />
          </Pane>
          <Aside intent={open} index={index} entities={declared} training={training} />
        </>
      )}
    </Flex>
  )
}
