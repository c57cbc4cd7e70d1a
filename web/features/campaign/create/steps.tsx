import { Box, chakra, Text } from '@chakra-ui/react'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'

export const STEPS = ['template', 'contacts', 'when', 'review'] as const
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

interface Props {
  readonly step: Step
  /** Summary of each step; absent: not finished. */
  readonly done: Readonly<Partial<Record<Step, string>>>
  onGo(step: Step): void
}

/** The steps that make a campaign, with what those that are done hold. */
export const StepList = ({ step, done, onGo }: Props) => {
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
const isReachable = (step: Step, done: Props['done']): boolean =>
  STEPS.slice(0, STEPS.indexOf(step)).every(before => done[before] !== undefined)
