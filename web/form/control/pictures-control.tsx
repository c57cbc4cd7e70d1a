import { Box, Button, chakra, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { ImageOff, Plus, Upload, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IMAGE_TYPES, MAX_FILE_BYTES } from '#schemas/field/file-type.ts'
import { useSession } from '#web/api/session.ts'
import { Hint, IconButton } from '#web/components/hint.tsx'
import { UploadProgress } from '#web/components/upload-progress.tsx'
import { attributesOf, type ControlProps } from './control-props.ts'
import { useCloudUpload } from './use-cloud-upload.ts'

interface PicturesProps extends ControlProps<readonly string[]> {
  readonly max?: number | undefined
  readonly maxItems?: number | undefined
}

/** Only http(s) URLs and files of this installation are displayed. */
const isDrawn = (address: string): boolean => /^(?:https?:\/\/|\/(?!\/))/iu.test(address)

const Picture = ({ address }: { readonly address: string }) => {
  const { t } = useTranslation('shell')
  const [isBroken, setBroken] = useState(false)
  return (
    <Box
      boxSize="9"
      flex="none"
      display="grid"
      placeItems="center"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
      bg="bg.subtle"
      color="fg.subtle"
    >
      {isBroken || !isDrawn(address) ? (
        <Hint text={t('form.pictures.broken')}>
          <ImageOff size={16} aria-label={t('form.pictures.broken')} />
        </Hint>
      ) : (
        <chakra.img src={address} alt="" boxSize="100%" objectFit="cover" onError={() => setBroken(true)} />
      )}
    </Box>
  )
}

const UploadButton = ({ onUploaded }: { readonly onUploaded: (address: string) => void }) => {
  const { t } = useTranslation('shell')
  const input = useRef<HTMLInputElement>(null)
  const { upload, progress } = useCloudUpload({
    ...{ accept: IMAGE_TYPES, maxBytes: MAX_FILE_BYTES },
    onUploaded: ({ address }) => onUploaded(address),
  })
  return (
    <Box flex="none">
      <chakra.input
        ref={input}
        type="file"
        display="none"
        aria-label={t('form.pictures.upload')}
        accept={IMAGE_TYPES.join(',')}
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) void upload(file)
        }}
      />
      <Button disabled={progress.busy} onClick={() => input.current?.click()}>
        <Upload size={14} aria-hidden="true" />
        {t('form.pictures.upload')}
      </Button>
      <UploadProgress {...progress} />
    </Box>
  )
}

/** Addresses of pictures with a preview of each: typed, or those of files that are uploaded here. */
export const PicturesControl = ({ value, onChange, max, maxItems = 100, ...props }: PicturesProps) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const [typed, setTyped] = useState('')
  const isFixed = props.disabled === true || props.readOnly === true
  const add = (address: string) => {
    if (address !== '' && !value.includes(address)) onChange([...value, address])
  }
  const addTyped = () => {
    add(typed.trim())
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    addTyped()
  }
  return (
    <Stack w="100%" gap="2">
      {value.map(address => (
        <HStack key={address} gap="3" minW="0">
          <Picture address={address} />
          <Text flex="1" minW="0" textStyle="dense" truncate title={address}>
            {address}
          </Text>
          {isFixed ? null : (
            <IconButton
              icon={X}
              label={t('form.removefile', { name: address })}
              onClick={() => onChange(value.filter(other => other !== address))}
            />
          )}
        </HStack>
      ))}
      {isFixed || value.length >= maxItems ? null : (
        <HStack gap="2" flexWrap="wrap" align="flex-start">
          <Input
            {...attributesOf(props)}
            type="url"
            inputMode="url"
            flex="1 1 200px"
            value={typed}
            placeholder={t('form.imageaddress')}
            {...(max === undefined ? {} : { maxLength: max })}
            onChange={event => setTyped(event.target.value)}
            onBlur={addTyped}
            onKeyDown={onKeyDown}
          />
          <Button onClick={addTyped} disabled={typed.trim() === ''}>
            <Plus size={14} aria-hidden="true" />
            {t('form.pictures.add')}
          </Button>
          {can('createcloudfile') ? <UploadButton onUploaded={add} /> : null}
        </HStack>
      )}
    </Stack>
  )
}
