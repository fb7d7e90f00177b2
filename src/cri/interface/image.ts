/** Images. */
import { messages, nested, text, textMap, texts, truth, unsigned } from './fields.js'
import { type Infer, message } from './message.js'
import { PodSandboxConfig } from './sandbox-config.js'
import { FilesystemUsage, Int64Value } from './values.js'

export const ImageSpec = message({
  image: text(1),
  annotations: textMap(2),
  userSpecifiedImage: text(18),
  runtimeHandler: text(19),
  imageRef: text(20),
})
export interface ImageSpec extends Infer<typeof ImageSpec> {}

export const ImageFilter = message({
  image: nested<ImageSpec>(1, ImageSpec),
})
export interface ImageFilter extends Infer<typeof ImageFilter> {}

export const ListImagesRequest = message({
  filter: nested<ImageFilter>(1, ImageFilter),
})
export interface ListImagesRequest extends Infer<typeof ListImagesRequest> {}

export const Image = message({
  id: text(1),
  repoTags: texts(2),
  repoDigests: texts(3),
  size: unsigned(4),
  uid: nested<Int64Value>(5, Int64Value),
  username: text(6),
  spec: nested<ImageSpec>(7, ImageSpec),
  pinned: truth(8),
})
export interface Image extends Infer<typeof Image> {}

export const ListImagesResponse = message({
  images: messages<Image>(1, Image),
})
export interface ListImagesResponse extends Infer<typeof ListImagesResponse> {}

export const StreamImagesRequest = message({
  filter: nested<ImageFilter>(1, ImageFilter),
})
export interface StreamImagesRequest extends Infer<typeof StreamImagesRequest> {}

export const StreamImagesResponse = message({
  images: messages<Image>(1, Image),
})
export interface StreamImagesResponse extends Infer<typeof StreamImagesResponse> {}

export const ImageStatusRequest = message({
  image: nested<ImageSpec>(1, ImageSpec),
  verbose: truth(2),
})
export interface ImageStatusRequest extends Infer<typeof ImageStatusRequest> {}

export const ImageStatusResponse = message({
  image: nested<Image>(1, Image),
  info: textMap(2),
})
export interface ImageStatusResponse extends Infer<typeof ImageStatusResponse> {}

export const AuthConfig = message({
  username: text(1),
  password: text(2),
  auth: text(3),
  serverAddress: text(4),
  identityToken: text(5),
  registryToken: text(6),
})
export interface AuthConfig extends Infer<typeof AuthConfig> {}

export const PullImageRequest = message({
  image: nested<ImageSpec>(1, ImageSpec),
  auth: nested<AuthConfig>(2, AuthConfig),
  sandboxConfig: nested<PodSandboxConfig>(3, PodSandboxConfig),
})
export interface PullImageRequest extends Infer<typeof PullImageRequest> {}

export const PullImageResponse = message({
  imageRef: text(1),
})
export interface PullImageResponse extends Infer<typeof PullImageResponse> {}

export const RemoveImageRequest = message({
  image: nested<ImageSpec>(1, ImageSpec),
})
export interface RemoveImageRequest extends Infer<typeof RemoveImageRequest> {}

export const RemoveImageResponse = message({})
export interface RemoveImageResponse extends Infer<typeof RemoveImageResponse> {}

export const ImageFsInfoRequest = message({})
export interface ImageFsInfoRequest extends Infer<typeof ImageFsInfoRequest> {}

export const ImageFsInfoResponse = message({
  imageFilesystems: messages<FilesystemUsage>(1, FilesystemUsage),
  containerFilesystems: messages<FilesystemUsage>(2, FilesystemUsage),
})
export interface ImageFsInfoResponse extends Infer<typeof ImageFsInfoResponse> {}
