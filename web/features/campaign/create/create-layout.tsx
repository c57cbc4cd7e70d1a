import { Box, Button, chakra, Grid, HStack, Text } from '@chakra-ui/react'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ErrorLine } from '#web/components/error-state.tsx'
import { AccountMark } from '#web/features/simulatednumber/index.ts'
import { useBottomInset } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'

const STEPS = ['template', 'contacts', 'when', 'review'] as const
export type Step = (typeof STEPS)[number]

export const isStep = (text: string | null): text is Step => STEPS.some(step => step === text)

const DONE = { bg: 'positive.solid', color: 'positive.contrast', borderColor: 'positive.solid' }
const OPEN = { bg: 'accent.solid', color: 'accent.contrast', borderColor: 'accent.solid' }
const AHEAD = { borderColor: 'border.control' }

interface MarkProps {
  readonly place: number
  readonly isDone: boolean
  readonly isOpen: boolean
}

/** The number of a step, or that it is done. */
const Mark = ({ place, isDone, isOpen }: MarkProps) => (
  <Box
    boxSize="6"
    flex="none"
    display="grid"
    placeItems="center"
    borderRadius="full"
    borderWidth="2px"
    fontSize="xs"
    fontWeight="semibold"
    {...(isDone ? DONE : isOpen ? OPEN : AHEAD)}
  >
    {isDone ? <Check size={13} aria-hidden="true" /> : place}
  </Box>
)

interface StepListProps {
  readonly step: Step
  /** Summary of each step; absent: not finished. */
  readonly done: Readonly<Partial<Record<Step, string>>>
  onGo(step: Step): void
}

/** The steps that make a campaign, with what those that are done hold. */
const StepList = ({ step, done, onGo }: StepListProps) => {
  const { t } = useTranslation('campaign')
  return (
    <chakra.nav aria-label={t('create.steps')}>
      <chakra.ol
        listStyleType="none"
        display={{ base: 'flex', lg: 'grid' }}
        gap={{ base: '2', lg: '1' }}
        overflowX="auto"
        pb={{ base: '2', lg: '0' }}
      >
        {STEPS.map((one, at) => {
          const isDone = done[one] !== undefined && one !== step
          const isOpen = step === one
          return (
            <li key={one}>
              <chakra.button
                type="button"
                disabled={!isOpen && done[one] === undefined && !isReachable(one, done)}
                {...(isOpen ? { 'aria-current': 'step' as const } : {})}
                onClick={() => onGo(one)}
                display="flex"
                gap="3"
                textAlign="start"
                p="2"
                w="full"
                borderRadius="md"
                cursor="pointer"
                _hover={{ bg: 'bg.subtle' }}
                _disabled={{ cursor: 'default', color: 'fg.muted', bg: 'transparent' }}
                focusVisibleRing="outside"
              >
                <Mark place={at + 1} isDone={isDone} isOpen={isOpen} />
                <Box minW="0">
                  {/* A phone has room for the title of the open step alone. */}
                  <Text textStyle="card" srOnly={isOpen ? false : { base: true, lg: false }}>
                    {t(`create.step.${one}`)}
                  </Text>
                  <Text textStyle="secondary" color="fg.muted" hideBelow="lg" overflowWrap="anywhere">
                    {done[one] ?? t(`create.purpose.${one}`)}
                  </Text>
                </Box>
              </chakra.button>
            </li>
          )
        })}
      </chakra.ol>
    </chakra.nav>
  )
}

/** A step can be opened once those before it are done. */
const isReachable = (step: Step, done: StepListProps['done']): boolean =>
  STEPS.slice(0, STEPS.indexOf(step)).every(before => done[before] !== undefined)

interface Props {
  readonly step: Step
  readonly name: string | undefined
  /** The account that it is sent from. */
  readonly account: string | null | undefined
  readonly done: Readonly<Partial<Record<Step, string>>>
  /** The message as people get it. */
  readonly aside: ReactNode
  readonly error: string | undefined
  readonly busy: boolean
  /** Of the button that ends the step; absent: nothing can be done yet. */
  readonly verb?: ReactNode
  onGo(step: Step): void
  onNext(): void
  readonly children: ReactNode
}

const Bar = ({ step, verb, busy, onGo, onNext }: Pick<Props, 'step' | 'verb' | 'busy' | 'onGo' | 'onNext'>) => {
  const { t } = useTranslation(['campaign', 'shell'])
  const navigate = useNavigate()
  const bar = useBottomInset()
  const before = STEPS[STEPS.indexOf(step) - 1]
  const next = STEPS[STEPS.indexOf(step) + 1]
  return (
    <HStack ref={bar} px={{ base: '3', md: '6' }} py="3" gap="3" borderTopWidth="1px" bg="bg.surface" flexWrap="wrap">
      <Text textStyle="dense" color="fg.muted" flex="1" hideBelow="md">
        {next === undefined ? t('create.signed') : t('create.next', { step: t(`create.step.${next}`) })}
      </Text>
      <Button
        variant="ghost"
        onClick={() => {
          if (before === undefined) void navigate('/campaignmanagement/channel/app/campaign/search')
          else onGo(before)
        }}
      >
        {before === undefined ? t('shell:cancel') : t('create.back')}
      </Button>
      {verb === undefined ? null : (
        <Button variant="solid" loading={busy} onClick={onNext} ml={{ base: 'auto', md: '0' }}>
          {verb}
        </Button>
      )}
    </HStack>
  )
}

/** Layout of a campaign step: steps on the left, message on the right, buttons below. */
export const Frame = ({ step, name, account, done, aside, error, children, ...bar }: Props) => {
  const { t } = useTranslation('campaign')
  return (
    <Page
      title={t('create.title')}
      name={t('create.title')}
      beside={
        <>
          {name === undefined ? null : <chakra.code textStyle="code">{name}</chakra.code>}
          <AccountMark account={account} />
        </>
      }
      bar={<Bar step={step} {...bar} />}
    >
      <Grid
        gap={{ base: '4', lg: '6' }}
        templateColumns={{ base: 'minmax(0, 1fr)', lg: '220px minmax(0, 1fr)', xl: '230px minmax(0, 1fr) 320px' }}
        alignItems="start"
      >
        <StepList step={step} done={done} onGo={bar.onGo} />
        <Box minW="0">
          <ErrorLine text={error} mb="4" />
          {children}
        </Box>
        <chakra.aside aria-label={t('report.message')} gridColumn={{ base: 'auto', lg: '2', xl: 'auto' }} minW="0">
          {aside}
        </chakra.aside>
      </Grid>
    </Page>
  )
}
