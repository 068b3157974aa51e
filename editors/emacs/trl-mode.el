;;; trl-mode.el --- Editing .trl files  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages

;;; Commentary:

;; Highlighting, indentation as `trl fmt' has it, movement by declarations, `trl check' by M-x compile, and the
;; language server by eglot.  Where Emacs has tree-sitter and the parser, `trl-ts-mode' highlights by it.
;;   (require 'trl-mode)
;; `trl docs --editors editors' renews the lists of words.

;;; Code:

(require 'compile)
(require 'subr-x)
(require 'url-util)

(defgroup trl nil "Editing .trl files." :group 'languages)

(defcustom trl-command "trl" "The program trl." :type 'string)

(defcustom trl-indent-offset 2 "Blanks for each level of blocks." :type 'integer :safe #'integerp)

(defconst trl-mode--keywords
  '(
    ;; <words keywords as     @quoted>
    "allow" "and" "else" "if" "import" "in" "not" "or" "then"
    ;; </words>
    ))
(defconst trl-mode--constants
  '(
    ;; <words constants as     @quoted>
    "false" "none" "rest" "true"
    ;; </words>
    ))
(defconst trl-mode--kinds
  '(
    ;; <words kinds as     @quoted>
    "evaluation" "experiment" "extension" "hypothesis" "let" "lora" "machine" "model" "plot" "split" "suite" "table"
    "task" "train"
    ;; </words>
    ))
(defconst trl-mode--variants
  '(
    ;; <words variants as     @quoted>
    "adaptive_curriculum" "best_of_n" "calibrated_timing" "dpo" "grpo" "memory_checks" "multi_input" "placebo"
    "policy_gradient" "pretrain" "sft" "staged_evaluation" "timing_noise" "weighted_sft"
    ;; </words>
    ))
(defconst trl-mode--fields
  '(
    ;; <words fields as     @quoted>
    "accumulation" "adapter" "adapters" "address" "against" "alpha" "also_by" "attempts" "bandwidth" "baseline"
    "batch" "beta" "body" "by" "candidates" "caption" "cell" "clip" "clip_higher" "clip_ratio" "column" "columns"
    "compile" "compiled_baseline" "compute" "concurrency" "condition" "context" "contrast" "controls" "cores" "cv"
    "data" "dev" "discount" "dropout" "dtype" "duplicates" "efficiency" "epochs" "evaluate" "exclude" "expect"
    "extensions" "factor" "failing" "feedback" "flawed" "folder" "framework" "from" "full" "gpus" "group" "headers"
    "heads" "hidden" "intermediate" "judge_reasoning" "k" "keep" "keep_by" "key_env" "key_header" "kl" "kv_heads"
    "label" "language" "largest" "latex" "layers" "learning_rate" "level" "level1" "level2" "licenses" "longest"
    "looks" "machine" "malformed" "match" "max_tokens" "max_without_text" "mean_over" "memory" "metric"
    "micro_batch" "min_reward" "mismatch" "mismatch_answer_cap" "mismatch_cap" "mismatch_veto" "model" "n" "name"
    "near" "notes" "of" "on" "on_demand" "optimiser_state" "override" "p" "pairs" "parameters" "pattern" "patterns"
    "plan_reward" "plan_weight" "precision" "price_in" "price_out" "prompt" "quantize" "rank" "reference"
    "repository" "requests_per_minute" "resolution" "revision" "reward" "reward_temperature" "rollout" "rounds"
    "rows" "sampled" "samples" "schedule" "second_baseline" "seed" "seeds" "sequence" "server" "share"
    "smallest_effect" "split" "spot" "standardised" "steps" "stop" "syntax" "system" "targets" "tasks"
    "tasks_per_round" "temperature" "timeout" "tiny" "title" "tokens_per_minute" "top_k" "top_p" "train" "trials"
    "trim" "turn" "turns" "unseen_pairs" "use_dora" "use_rslora" "value" "variations" "vary" "verify" "vocabulary"
    "warmup" "weight_decay" "weights" "x" "y"
    ;; </words>
    ))
(defconst trl-mode--values
  '(
    ;; <words values as     @quoted>
    "all_linear" "answers" "base" "bf16" "c_fc" "c_proj" "candidates" "carried" "cell" "cells" "clip_share"
    "code_tokens" "column" "compiled" "constant" "controls" "correct" "cosine" "cost" "cuda" "dev" "different"
    "distinct" "down_proj" "drop" "entropy" "epilogue" "extreme" "f16" "f32" "fresh" "full" "gate_proj"
    "gradient_norm" "greater" "half" "ignore" "int8" "k_proj" "keep" "kernel_share" "kernelbench" "kl"
    "leave_one_out" "less" "linear" "llm_int8" "loss" "margin" "masked_without_other" "max_completion_tokens"
    "max_tokens" "mean" "measure" "merged" "mismatch_share" "module" "nf4" "o_proj" "one_shot" "original"
    "plan_reward" "plan_tokens" "purity" "q_proj" "random" "ratio" "ratio_deviation" "refuse" "reject"
    "rejected_answers" "reseed" "reward" "round" "same" "sampled_share" "samples" "sampling_deviation"
    "sampling_ratio" "seed" "seeds" "sglang" "short" "skip" "speedup" "speedup_over_compiled" "start" "stop"
    "suites" "survives" "table" "tabular" "task" "temperature" "tf32" "tokens" "top_k" "top_p" "training" "triton"
    "truncate" "truncated" "unmerged" "up_proj" "usd" "v_proj" "valid" "values" "vllm" "wide" "won" "zero_shot"
    ;; </words>
    ))
(defconst trl-mode--functions
  '(
    ;; <words functions+tensor_functions as     @quoted>
    "abs" "accuracy" "adaptive_avg_pool1d" "adaptive_avg_pool2d" "adaptive_avg_pool3d" "adaptive_max_pool1d"
    "adaptive_max_pool2d" "adaptive_max_pool3d" "add" "all" "amax" "amin" "any" "arange" "argmax" "argmin" "argsort"
    "asinh" "atan" "atan2" "avg_pool1d" "avg_pool2d" "avg_pool3d" "base" "batch_norm"
    "binary_cross_entropy_with_logits" "bmm" "cast" "cat" "ceil" "celu" "chains" "clamp" "conv1d" "conv2d" "conv3d"
    "conv_transpose1d" "conv_transpose2d" "conv_transpose3d" "corpus" "correct_after" "cos" "cosh"
    "cosine_similarity" "cross_entropy" "cummax" "cummin" "cumprod" "cumsum" "deg2rad" "div" "einsum" "elu"
    "embedding" "endpoint" "eq" "erf" "erfc" "exp" "exp2" "expand" "expm1" "fast" "fast_over_compiled" "field"
    "flatten" "flip" "floor" "frac" "fractional" "gather" "ge" "gelu" "generations" "glu" "grid" "group_norm" "gt"
    "hardshrink" "hardsigmoid" "hardswish" "hardtanh" "header" "hinge_embedding_loss" "huber_loss" "huggingface"
    "hypot" "imported" "index_add" "index_select" "instance_norm" "isfinite" "isinf" "isnan" "kernelbench"
    "kernelbook" "kl_div" "l1_loss" "layer_norm" "le" "leaky_relu" "lerp" "linear" "log" "log10" "log1p" "log2"
    "log_softmax" "logaddexp" "logcumsumexp" "logical_and" "logical_not" "logical_or" "logsigmoid" "logsumexp" "lt"
    "margin_ranking_loss" "masked_fill" "matmul" "max" "max_pool1d" "max_pool2d" "max_pool3d" "maximum" "mean" "min"
    "minimum" "mish" "mod" "modules" "mse_loss" "mul" "narrow" "ne" "neg" "nll_loss" "normalize" "outer" "pad"
    "pairwise_distance" "pass_at" "path" "permute" "pow" "prelu" "prod" "random" "reciprocal" "relu" "relu6"
    "remainder" "repeat_interleave" "reshape" "resize" "results" "rms_norm" "roll" "rotary_embedding" "round"
    "rsqrt" "sample" "scale" "scaled_dot_product_attention" "scatter_add" "segment_reduce" "select" "selu" "sigmoid"
    "sign" "silu" "sin" "sinc" "sinh" "size" "smooth_l1_loss" "soft_margin_loss" "softmax" "softmin" "softplus"
    "softshrink" "softsign" "sort" "sqrt" "square" "squeeze" "stack" "std" "sub" "subsets" "sum" "tan" "tanh"
    "tanhshrink" "threshold" "titled" "to" "topk" "transpose" "tril" "triplet_margin_loss" "triu" "trunc"
    "unsqueeze" "var" "vector_norm" "where" "zeros" "zip"
    ;; </words>
    ))
(defconst trl-mode--types
  '(
    ;; <words types+dtypes as     @quoted>
    "bandwidth" "bf16" "bool" "bytes" "condition" "count" "duration" "either" "expression" "f16" "f32" "f8e4m3"
    "f8e5m2" "factor" "fraction" "group" "i16" "i32" "i64" "i8" "list" "many" "map" "money" "name" "number" "one_of"
    "optional" "overrides" "pipeline" "price" "share" "suite" "sum" "text" "u8" "verdict"
    ;; </words>
    ))
(defconst trl-mode--units
  '(
    ;; <words units as     @quoted>
    "GiB" "KiB" "MiB" "h" "min" "ms" "s" "tokens" "us" "usd"
    ;; </words>
    ))

(defvar trl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (dolist (operator '(?+ ?- ?* ?/ ?@ ?^ ?< ?> ?= ?! ?%)) (modify-syntax-entry operator "." table))
    table)
  "Syntax table of `trl-mode'.")

(defun trl-mode--find-declaration (limit)
  "Find a kind and a name before LIMIT, neither of which is a reserved word."
  (let (found)
    (while (and (not found)
                (re-search-forward
                 "\\(?:^\\|[{,]\\)[ \t]*\\([A-Za-z_][A-Za-z0-9_]*\\)[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)" limit t))
      (setq found (not (or (member (match-string 1) trl-mode--keywords)
                           (member (match-string 2) trl-mode--keywords)))))
    found))

(defconst trl-mode-font-lock-keywords
  (let* ((name "[A-Za-z_][A-Za-z0-9_]*")
         (path (concat name "\\(?:\\." name "\\)*"))
         (first "\\(?:^\\|[{,]\\)[ \t]*"))
    `(("\\\\\\(?:[nt\"\\]\\|u{[0-9A-Fa-f]\\{1,6\\}}\\)" 0 font-lock-constant-face prepend)
      (,(concat "\\_<import\\_>[ \t]+\\(" path "\\)\\(?:[ \t]+as[ \t]+\\(" name "\\)\\)?")
       (1 font-lock-constant-face) (2 font-lock-constant-face nil t))
      ("\\_<import\\_>[ \t]+[^ \t\n]+[ \t]+\\(as\\)\\_>" (1 font-lock-keyword-face))
      (,(concat "\\_<\\(allow\\)(\\(" path "\\)") (1 font-lock-preprocessor-face) (2 font-lock-constant-face))
      (,(concat "\\_<" (regexp-opt trl-mode--keywords) "\\_>") . font-lock-keyword-face)
      ;; kind name : base
      (trl-mode--find-declaration (1 font-lock-keyword-face) (2 font-lock-function-name-face))
      (,(concat ":[ \t]*\\(" path "\\)") (1 font-lock-type-face))
      ;; Fields, sections, labels, and calls.
      (,(concat first "\\(" path "\\)[ \t]*{") (1 font-lock-variable-name-face))
      (,(concat first "\\(" path "\\)[ \t]*\\(?:=[^=]\\|:\\)") (1 font-lock-variable-name-face))
      (,(concat first "\\(" name "\\)([^()]*)[ \t]*\\(?:=[^=]\\|:\\)") (1 font-lock-variable-name-face))
      (,(concat "[(,][ \t]*\\(" path "\\)[ \t]*=[^=]") (1 font-lock-variable-name-face))
      (,(concat "\\_<" (regexp-opt trl-mode--functions t) "(") (1 font-lock-builtin-face))
      (,(concat "\\_<\\(" name "\\)(") (1 font-lock-function-name-face))
      (,(concat "\\([0-9]\\)[ \t]*\\(%\\|" (regexp-opt trl-mode--units) "\\_>\\)") (2 font-lock-type-face))
      ("\\_<[0-9]+\\(?:\\.[0-9]+\\)?\\(?:[eE][+-]?[0-9]+\\)?" . font-lock-constant-face)
      (,(concat "\\_<" (regexp-opt trl-mode--constants) "\\_>") . font-lock-constant-face)
      (,(concat "\\(?:^\\|[=[,(]\\)[ \t]*" (regexp-opt trl-mode--values t) "[ \t]*\\(?:[],)}#]\\|$\\)")
       (1 font-lock-constant-face))))
  "What `trl-mode' highlights besides texts and comments.")

(defun trl-mode--face-of (state)
  "The face of the text or comment of which STATE is the parser's."
  (cond ((nth 3 state) 'font-lock-string-face)
        ((save-excursion (goto-char (nth 8 state)) (looking-at-p "##")) 'font-lock-doc-face)
        (t 'font-lock-comment-face)))

(defun trl-mode--continues-p ()
  "Whether the line at point goes on with the item of the line before it."
  (or (looking-at-p "\\(?:then\\|else\\)\\_>")
      (save-excursion
        (forward-comment (- (point)))
        (let ((end (point)) (begin (line-beginning-position)))
          (and (not (save-excursion (nth 8 (syntax-ppss end))))
               (string-match-p "\\(?:=\\|->\\|[-+*/@^<>]\\|\\_<\\(?:if\\|then\\|else\\|and\\|or\\|not\\)\\)\\'"
                               (buffer-substring-no-properties begin end)))))))

(defun trl-mode--indentation ()
  "The column in which the line at point begins."
  (save-excursion
    (back-to-indentation)
    (let* ((open (nth 1 (syntax-ppss (line-beginning-position))))
           (closes (looking-at-p "[])}]"))
           (more (if (and (not closes) (trl-mode--continues-p)) trl-indent-offset 0)))
      (if (null open)
          more
        (goto-char open)
        (let ((block (eq (char-after) ?{)) (column (current-column)))
          (cond (closes (current-indentation))
                (block (+ (current-indentation) trl-indent-offset more))
                ((looking-at-p ".[ \t]*\\(?:#.*\\)?$") (+ (current-indentation) trl-indent-offset))
                (t (1+ column))))))))

(defun trl-mode-indent-line ()
  "Indent the line at point as `trl fmt' does."
  (interactive)
  (let ((column (trl-mode--indentation)))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

(defun trl-mode-check ()
  "Check the file by `trl check'; errors are places to jump to."
  (interactive)
  (let ((compilation-environment (cons "NO_COLOR=1" compilation-environment)))
    (compile (concat trl-command " check " (shell-quote-argument (buffer-file-name))))))

(defun trl-mode-format ()
  "Lay the buffer out by `trl fmt'."
  (interactive)
  (let ((buffer (current-buffer)) (out (generate-new-buffer " *trl fmt*")))
    (unwind-protect
        (if (zerop (call-process-region (point-min) (point-max) trl-command nil out nil "fmt" "-"))
            (with-current-buffer buffer (replace-buffer-contents out))
          (message "trl fmt: %s" (with-current-buffer out (buffer-string))))
      (kill-buffer out))))

(declare-function eglot-current-server "eglot")
(declare-function jsonrpc-request "jsonrpc")

(defun trl-mode--lenses ()
  "The server's code lenses of the buffer, each as (TITLE LINE COMMAND ARGUMENT…)."
  (let ((server (and (fboundp 'eglot-current-server) (eglot-current-server))))
    (unless server (user-error "Lenses are the language server's: start it by M-x eglot"))
    (let ((uri (concat "file://" (url-hexify-string (file-truename (buffer-file-name)) url-path-allowed-chars))))
      (mapcar (lambda (lens)
                (let ((command (plist-get lens :command)))
                  (append (list (plist-get command :title)
                                (1+ (plist-get (plist-get (plist-get lens :range) :start) :line))
                                (plist-get command :command))
                          (append (plist-get command :arguments) nil))))
              (jsonrpc-request server :textDocument/codeLens (list :textDocument (list :uri uri)))))))

(defun trl-mode--carry-out (lens)
  "Run what LENS says, `trl run', `plan' or `trace' with the file and a name, in a buffer of its own."
  (pcase-let* ((`(,_ ,_ ,command ,_ ,name) lens)
               (word (string-remove-prefix "trl." command))
               (what (if (equal word "trace") (read-string "Figure: " (concat name "[ROW, COLUMN]")) name)))
    (unless (member word '("run" "plan" "trace")) (user-error "There is no command %s" command))
    (when (buffer-modified-p) (save-buffer))
    (compile (mapconcat #'identity
                        (list trl-command word (shell-quote-argument (buffer-file-name)) (shell-quote-argument what))
                        " "))))

(defun trl-mode-lens ()
  "Choose one of the language server's lenses and carry it out.
Those at or above point's line come first."
  (interactive)
  (let* ((line (line-number-at-pos))
         (lenses (sort (trl-mode--lenses)
                       (lambda (a b)
                         (< (if (> (nth 1 a) line) (+ 1000000 (nth 1 a)) (- line (nth 1 a)))
                            (if (> (nth 1 b) line) (+ 1000000 (nth 1 b)) (- line (nth 1 b)))))))
         (names (mapcar (lambda (lens) (cons (format "%s: %s" (nth 4 lens) (nth 0 lens)) lens)) lenses)))
    (unless names (user-error "No experiment or table of this file has a lens"))
    (trl-mode--carry-out (cdr (assoc (completing-read "Lens: " names nil t nil nil (caar names)) names)))))

(defvar trl-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'trl-mode-check)
    (define-key map (kbd "C-c C-f") #'trl-mode-format)
    (define-key map (kbd "C-c C-l") #'trl-mode-lens)
    map)
  "Keys of `trl-mode'.")

(defun trl-mode--set-up ()
  "What `trl-mode' and `trl-ts-mode' share."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+[ \t]*")
  (setq-local comment-end "")
  (setq-local indent-line-function #'trl-mode-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local electric-indent-chars (append "])}" electric-indent-chars))
  (setq-local imenu-generic-expression
              '((nil "^[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)[^\n]*[{=]" 1)))
  (setq-local beginning-of-defun-function
              (lambda (&optional count)
                (re-search-backward "^[A-Za-z_][A-Za-z0-9_]*[ \t]+[A-Za-z_]" nil 'move (or count 1))))
  (setq-local end-of-defun-function
              (lambda () (forward-line) (unless (re-search-forward "^[^ \t\n}#]" nil 'move) nil) (beginning-of-line))))

;;;###autoload
(define-derived-mode trl-mode prog-mode "trl"
  "Mode for .trl files.

\\{trl-mode-map}"
  (trl-mode--set-up)
  (setq-local font-lock-defaults
              '(trl-mode-font-lock-keywords
                nil nil nil nil (font-lock-syntactic-face-function . trl-mode--face-of))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.trl\\'" . trl-mode))

(add-to-list 'compilation-error-regexp-alist-alist
             '(trl "^\\([^ \n:][^\n:]*\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(note\\)\\)" 1 2 3 (4 . 5)))
(add-to-list 'compilation-error-regexp-alist 'trl)

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `((trl-mode trl-ts-mode) . (,trl-command "lsp"))))

;; Emacs 29 and later, with the parser (libtree-sitter-trl).
(declare-function treesit-ready-p "treesit")
(declare-function treesit-parser-create "treesit.c")
(declare-function treesit-font-lock-rules "treesit")
(declare-function treesit-major-mode-setup "treesit")
(defvar treesit-font-lock-settings)
(defvar treesit-font-lock-feature-list)

;;;###autoload
(define-derived-mode trl-ts-mode prog-mode "trl"
  "Mode for .trl files that are highlighted by tree-sitter."
  :syntax-table trl-mode-syntax-table
  (use-local-map trl-mode-map)
  (trl-mode--set-up)
  (when (and (fboundp 'treesit-ready-p) (treesit-ready-p 'trl))
    (treesit-parser-create 'trl)
    (setq-local treesit-font-lock-settings
                (treesit-font-lock-rules
                 :language 'trl :feature 'comment
                 '((comment) @font-lock-comment-face (doc) @font-lock-doc-face)
                 :language 'trl :feature 'text
                 '((text) @font-lock-string-face)
                 :language 'trl :feature 'escape :override t
                 '((escape) @font-lock-constant-face)
                 :language 'trl :feature 'keyword
                 '(["if" "then" "else" "and" "or" "not" "in" "import" "as"] @font-lock-keyword-face
                   "allow" @font-lock-preprocessor-face)
                 :language 'trl :feature 'name
                 '((kind) @font-lock-keyword-face (declared) @font-lock-function-name-face
                   (base (path (identifier) @font-lock-type-face)) (type (path (identifier) @font-lock-type-face))
                   (field name: (path (identifier) @font-lock-variable-name-face))
                   (section name: (path (identifier) @font-lock-variable-name-face))
                   (label (identifier) @font-lock-variable-name-face)
                   (call function: (path (identifier) @font-lock-builtin-face :anchor)))
                 :language 'trl :feature 'number
                 '([(number) (number_with_unit)] @font-lock-constant-face (unit) @font-lock-type-face)))
    (setq-local treesit-font-lock-feature-list '((comment text keyword) (name number) (escape)))
    (treesit-major-mode-setup)
    (setq-local indent-line-function #'trl-mode-indent-line)))

(provide 'trl-mode)
;;; trl-mode.el ends here
