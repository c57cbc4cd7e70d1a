import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './hint.tsx'
import type { UploadProgress as Progress } from './use-upload-progress.ts'

interface UploadProgressProps extends Progress {
  /** Id of the error, for fields that it describes. */
  readonly id?: string
}

/** Under a control that uploads: the percentage that is sent with a way to cancel, or why it failed with a way to repeat. */
export const UploadProgress = ({ id, share, error, cancel, retry }: UploadProgressProps) => {
  const { t } = useTranslation('shell')
  if (share !== undefined) {
    const percent = Math.floor(share * 100)
    const text = percent < 100 ? t('progress.sending', { percent }) : t('progress.checking')
    return (
      <HStack gap="2" mt="1" minW="180px" maxW="320px">
        <Box
          role="progressbar"
          aria-label={t('progress.title')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={text}
          flex="1"
          h="1.5"
          borderRadius="full"
          bg="bg.muted"
          overflow="hidden"
        >
          <Box h="100%" w={`${percent}%`} bg="accent.solid" transition="width 150ms linear" />
        </Box>
        <Text textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
          {text}
        </Text>
        {cancel === undefined ? null : (
          <IconButton icon={X} iconSize={14} label={t('progress.cancel')} onClick={cancel} />
        )}
      </HStack>
    )
  }
  if (error === undefined) return null
  return (
    <HStack gap="2" mt="1" flexWrap="wrap">
      <Text id={id} role="alert" textStyle="secondary" color="danger.fg">
        {error}
      </Text>
      {retry === undefined ? null : (
        <Button size="xs" onClick={retry}>
          {t('progress.again')}
        </Button>
      )}
    </HStack>
  )
}
