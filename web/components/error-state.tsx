import { Box, Button, HStack, Stack, type StackProps, Text } from '@chakra-ui/react'
import { CircleAlert, CloudOff, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { momentOf } from '#web/format/time.ts'
import { useCopy } from '#web/notice/use-copy.ts'

interface Props {
  readonly error: unknown
  /** Replaces the default title, which says that loading failed. */
  readonly title?: string
  readonly onRetry?: (() => void) | undefined
}

/** Error, its effect and the next step; the rest of the page stays. */
export const ErrorState = ({ error, title, onRetry }: Props) => {
  const { t } = useTranslation('shell')
  const problem = isProblem(error) ? error : undefined
  const offline = problem?.code === 'network'
  const details = [
    problem?.status ?? '',
    problem?.code ?? String(error),
    momentOf(problem?.time ?? new Date().toISOString()),
    problem?.correlation,
  ]
    .filter(Boolean)
    .join(' · ')
  const copy = useCopy()
  return (
    <HStack align="flex-start" gap="4" p="6" bg="bg.surface" borderWidth="1px" borderRadius="lg" role="alert">
      <Box bg="danger.subtle" color="danger.fg" p="2.5" borderRadius="lg" flex="none">
        <CloudOff size={20} strokeWidth={1.75} aria-hidden="true" />
      </Box>
      <Stack gap="1" minW="0">
        <Text textStyle="title">{title ?? (offline ? t('error.offline') : t('error.title'))}</Text>
        <Text textStyle="dense" color="fg.muted">
          {problem && !offline ? problem.message : t('error.noanswer')}
        </Text>
        <Text textStyle="dense" color="fg.muted">
          {t('error.safe')}
        </Text>
        <HStack mt="2" gap="2">
          {onRetry ? (
            <Button variant="solid" onClick={onRetry}>
              {t('retry')}
            </Button>
          ) : null}
          <Button
            variant="ghost"
            onClick={() => void copy(`${details}\n${problem?.message ?? String(error)}\n${location.href}`)}
          >
            {t('error.copy')}
          </Button>
        </HStack>
        <Text textStyle="code" color="fg.subtle" mt="2" overflowWrap="anywhere">
          {details}
        </Text>
      </Stack>
    </HStack>
  )
}

interface ErrorLineProps extends StackProps {
  readonly text: string | undefined
}

interface BandProps extends StackProps {
  readonly tone: 'warning' | 'danger'
  readonly icon: LucideIcon
}

/** Coloured band with an icon and a message. */
export const Band = ({ tone, icon: Icon, children, ...band }: BandProps) => (
  <HStack
    align="start"
    gap="2.5"
    px="4"
    py="2.5"
    borderRadius="lg"
    bg={`${tone}.subtle`}
    color={`${tone}.fg`}
    textStyle="dense"
    {...band}
  >
    <Icon size={16} aria-hidden="true" style={{ flex: 'none', marginTop: 2 }} />
    <Box minW="0" overflowWrap="anywhere">
      {children}
    </Box>
  </HStack>
)

/** Error message, above the pressed button; `children`: the single faults, below it. */
export const ErrorLine = ({ text, children, ...band }: ErrorLineProps) =>
  text === undefined ? null : (
    <Band role="alert" tone="danger" icon={CircleAlert} px="3" py="2" borderRadius="md" {...band}>
      <Text>{text}</Text>
      {children}
    </Band>
  )
