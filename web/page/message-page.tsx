import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { House } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'

interface Props {
  /** Drawn large: 404, 500, or a picture. */
  readonly mark: ReactNode
  /** Small line above the title. */
  readonly eyebrow?: string
  readonly title: string
  readonly text?: string
  readonly details?: string
  readonly children?: ReactNode
}

/** A page that only says something, with a way home. */
export const MessagePage = ({ mark, eyebrow, title, text, details, children }: Props) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  usePageTitle(title)
  return (
    <Stack flex="1" align="center" justify="center" textAlign="center" p="6" gap="2" minH="60vh">
      <Box
        px="6"
        py="3"
        mb="3"
        borderRadius="xl"
        borderWidth="1px"
        borderStyle="dashed"
        borderColor="border.emphasized"
        backgroundImage="radial-gradient({colors.canvas.dot} 1px, transparent 1px)"
        backgroundSize="8px 8px"
        fontSize="3xl"
        fontWeight="semibold"
        color="fg.muted"
        aria-hidden="true"
      >
        {mark}
      </Box>
      {eyebrow ? (
        <Text textStyle="secondary" color="fg.muted">
          {eyebrow}
        </Text>
      ) : null}
      <Text as="h1" textStyle="display">
        {title}
      </Text>
      {text ? (
        <Text color="fg.muted" maxW="440px">
          {text}
        </Text>
      ) : null}
      {details ? (
        <Text textStyle="code" color="fg.subtle" maxW="600px" overflowWrap="anywhere">
          {details}
        </Text>
      ) : null}
      <HStack mt="4" gap="2" flexWrap="wrap" justify="center">
        {children}
        <Button variant="solid" size="lg" onClick={() => void navigate('/')}>
          <House size={16} aria-hidden="true" />
          {t('error.home')}
        </Button>
      </HStack>
    </Stack>
  )
}
